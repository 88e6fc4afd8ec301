import { ApiKeyResource } from './resource.ts';
import { Writes } from '../schema/decorators/metadata.ts';
import { About, IsSentTimestamp, IsText, IsWhole, Nullable, Optional, SomeOf } from '../schema/decorators/index.ts';
import { type Grant, grants } from './vocabulary.ts';

export class RotateKey {
  @About('Seconds for which the old value stays valid; 86,400 when left out.')
  @Optional()
  @IsWhole({ min: 0, max: 604_800 })
  grace_period_seconds?: number;
}

@Writes(() => ApiKeyResource)
export class UpdateApiKey {
  @About('Name of the key.') @Optional() @IsText() name?: string;
  @About('What the key may do; `*` is everything. Not more than the key that asks may.')
  @Optional()
  @SomeOf(grants, { min: 1, max: grants.length })
  permissions?: Grant[];
  @About('When it stops being valid (RFC 3339, cut to milliseconds); null: never.') @Optional() @Nullable() @IsSentTimestamp() expires_at?:
    string | null;
}
