import { IsText, IsTimestamp, IsWhole, Nullable, Optional, SomeOf } from '../decorators/index.ts';
import { permissions } from '../vocabulary.ts';
import type { Permission } from '../vocabulary.ts';

export class RotateKey {
  /** How long the old value stays valid; 86,400 when left out. */
  @Optional() @IsWhole({ min: 0, max: 604_800 }) grace_period_seconds?: number;
}

export class UpdateApiKey {
  @Optional() @IsText() name?: string;
  @Optional() @SomeOf([...permissions, '*'], { min: 1, max: permissions.length + 1 }) permissions?: (Permission | '*')[];
  @Optional() @Nullable() @IsTimestamp() expires_at?: string | null;
}
