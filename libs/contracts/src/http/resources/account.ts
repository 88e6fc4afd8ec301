import { IsAnyText, IsFlag, IsPrefixedId, IsTimestamp, IsWhole, Nested, Nullable, OneOf, Optional, SomeOf } from '../decorators/index.ts';
import { permissions, plans } from '../vocabulary.ts';
import type { Permission, Plan } from '../vocabulary.ts';

const rate = () => IsWhole({ min: 1, max: 1_000_000_000 });

/** Requests per minute, and the size of the burst bucket. */
export class Limits {
  @rate() plan: number;
  @rate() burst: number;
  @rate() submit: number;
  @rate() receipts: number;
  @rate() reports: number;
}

export class AccountResource {
  @IsPrefixedId('acct') id: string;
  @OneOf(['account']) object: 'account';
  /** Of the key that asks. */
  @IsFlag() livemode: boolean;
  @IsAnyText(255) name: string;
  @OneOf(plans) plan: Plan;
  @Nested(() => Limits) limits: Limits;
  @Optional() @IsTimestamp() created_at?: string;
  @Optional() @IsTimestamp() updated_at?: string;
}

/** A key, without its value. */
export class ApiKeyResource {
  @IsPrefixedId('key') id: string;
  @OneOf(['api_key']) object: 'api_key';
  @IsFlag() livemode: boolean;
  @IsAnyText(255) name: string;
  /** The first 12 characters of the value. */
  @IsAnyText(12) start: string;
  @SomeOf([...permissions, '*'], { max: permissions.length + 1 }) permissions: (Permission | '*')[];
  @IsTimestamp() created_at: string;
  @Optional() @IsTimestamp() updated_at?: string;
  @Optional() @IsWhole({ min: 1, max: Number.MAX_SAFE_INTEGER }) version?: number;
  /** To the minute. */
  @Nullable() @IsTimestamp() last_used_at: string | null;
  @Nullable() @IsTimestamp() expires_at: string | null;
  /** When the value before the last rotation ends. */
  @Nullable() @IsTimestamp() previous_expires_at: string | null;
  @Nullable() @IsTimestamp() deleted_at: string | null;
  /** The value; once, in the answer to its rotation or creation. */
  @Optional() @IsAnyText(64) key?: string;
}
