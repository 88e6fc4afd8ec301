import { MOST_STORAGE } from '@svc/contracts/account/resource';
import { type Grant, permissions, type Plan, plans } from '@svc/contracts/account/vocabulary';
import {
  IsEmailAddress,
  IsFlag,
  IsSentTimestamp,
  IsText,
  IsWhole,
  Nested,
  Nullable,
  OneOf,
  Optional,
  SomeOf,
} from '@svc/contracts/schema/decorators/index';

const rate = () => IsWhole({ min: 1, max: 1_000_000_000 });

/** Limits of one account, `storage` in bytes. A missing one is the plan's. */
export class OwnLimits {
  @Optional() @rate() plan?: number;
  @Optional() @rate() burst?: number;
  @Optional() @rate() submit?: number;
  @Optional() @rate() receipts?: number;
  @Optional() @rate() reports?: number;
  @Optional() @IsWhole({ min: 1, max: MOST_STORAGE }) storage?: number;
}

export class OpenAccount {
  @IsText() name: string;
  @OneOf(plans) plan: Plan;
  @Optional() @Nullable() @Nested(() => OwnLimits) limits?: OwnLimits | null;
  @Optional() @Nullable() @IsEmailAddress() email?: string | null;
}

/** `limits` is replaced as a whole. */
export class ChangeAccount {
  @Optional() @OneOf(plans) plan?: Plan;
  @Optional() @Nullable() @Nested(() => OwnLimits) limits?: OwnLimits | null;
  @Optional() @IsFlag() suspended?: boolean;
}

export class CreateKey {
  @IsText() name: string;
  @IsFlag() livemode: boolean;
  @SomeOf([...permissions, '*'], { min: 1, max: permissions.length + 1 }) permissions: Grant[];
  @Optional() @Nullable() @IsSentTimestamp() expires_at?: string | null;
}

export class AddOwner {
  @IsEmailAddress() email: string;
}

export class ReleaseUser {
  @IsEmailAddress() email: string;
}

export class ResetUser {
  @IsEmailAddress() email: string;
  /** True: turns off two factors, too. */
  @Optional() @IsFlag() totp?: boolean;
}
