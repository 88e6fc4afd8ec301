import { Live } from '../schema/decorators/metadata.ts';
import {
  About,
  IsAnyText,
  IsFlag,
  IsPrefixedId,
  IsTimestamp,
  IsWhole,
  Nested,
  Nullable,
  OneOf,
  Optional,
  SomeOf,
} from '../schema/decorators/index.ts';
import { type Grant, grants, type Plan, plans } from './vocabulary.ts';

const rate = () => IsWhole({ min: 1, max: 1_000_000_000 });

/** Bytes: 1 PiB. */
export const MOST_STORAGE = 2 ** 50;

/** Requests per minute, the size of the burst bucket, and the bytes that may be stored. */
export class Limits {
  @About('Requests per minute.') @rate() plan: number;
  @About('Size of the burst bucket: requests at once.') @rate() burst: number;
  @About('Submissions of invoices per minute.') @rate() submit: number;
  @About('Receipts per minute.') @rate() receipts: number;
  @About('Reports per minute.') @rate() reports: number;
  @About('Bytes that may be stored, of both environments together.') @Optional() @IsWhole({ min: 1, max: MOST_STORAGE }) storage?: number;
}

export class AccountResource {
  @About('Identifier, `acct_…`.') @IsPrefixedId('acct') id: string;
  @About('Kind of resource.') @OneOf(['account']) object: 'account';
  @About('Environment of the key that asks.') @IsFlag() livemode: boolean;
  @About('Name of the account.') @IsAnyText(255) name: string;
  @About('Plan, which sets the limits.') @OneOf(plans) plan: Plan;
  @About('Limits per minute of this environment, and the storage of the account.') @Nested(() => Limits) limits: Limits;
  @About('When it was created, UTC.') @Optional() @IsTimestamp() created_at?: string;
  @About('When it last changed, UTC.') @Optional() @IsTimestamp() updated_at?: string;
}

/** An API key without its value. */
export class ApiKeyResource {
  @About('Identifier, `key_…`; rotation keeps it.') @IsPrefixedId('key') id: string;
  @About('Kind of resource.') @OneOf(['api_key']) object: 'api_key';
  @About('True for a live key, false in the sandbox.') @IsFlag() livemode: boolean;
  @About('Name of the key.') @IsAnyText(255) name: string;
  @About('First 12 characters of the value.') @IsAnyText(12) start: string;
  @About('What the key may do; `*` is everything.') @SomeOf(grants, { max: grants.length }) permissions: Grant[];
  @About('When it was created, UTC.') @IsTimestamp() created_at: string;
  @About('When it last changed, UTC.') @Optional() @IsTimestamp() updated_at?: string;
  @About('Counts changes from 1. The `ETag`, and what `If-Match` is compared with.')
  @Optional()
  @IsWhole({ min: 1, max: Number.MAX_SAFE_INTEGER })
  version?: number;
  @About('When it was last used, to the minute, UTC.') @Live() @Nullable() @IsTimestamp() last_used_at: string | null;
  @About('When it stops being valid, UTC; null: never.') @Nullable() @IsTimestamp() expires_at: string | null;
  @About('When the value before the last rotation stops being valid, UTC.') @Nullable() @IsTimestamp() previous_expires_at: string | null;
  @About('When it was revoked, UTC; null while it is valid.') @Nullable() @IsTimestamp() deleted_at: string | null;
  @About('The value. Only in the answer to its rotation or creation.') @Optional() @IsAnyText(64) key?: string;
}
