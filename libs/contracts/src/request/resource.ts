import {
  About,
  AnyTextList,
  IsAnyText,
  IsPrefixedId,
  IsTimestamp,
  IsWhole,
  Nullable,
  Optional,
  AnyObjects,
} from '../schema/decorators/index.ts';

/** A request that was refused or failed; of one that succeeded the identifier and its events alone. */
export class RequestResource {
  @About('Identifier, as in `X-Request-Id`.') @IsPrefixedId('req') id: string;
  @About('When it came, UTC.') @Optional() @IsTimestamp() at?: string;
  @About('Method.') @Optional() @IsAnyText(16) method?: string;
  @About('Path, without its query.') @Optional() @IsAnyText(2_048) path?: string;
  @About('HTTP status of the answer.') @Optional() @IsWhole({ min: 100, max: 599 }) status?: number;
  @About('Code of the error.') @Optional() @IsAnyText(64) code?: string;
  @About('Message of the error.') @Optional() @IsAnyText(4_000) message?: string;
  @About('Fields that the error names.') @Optional() @AnyTextList(255, { max: 100 }) fields?: string[];
  @About('Key that asked; null: a member did.') @Optional() @Nullable() @IsAnyText(64) key_id?: string | null;
  @About('Member that asked; null: a key did.') @Optional() @Nullable() @IsAnyText(64) member_id?: string | null;
  @About('How long it took, in milliseconds.') @Optional() @IsWhole({ min: 0, max: 86_400_000 }) duration_ms?: number;
  @About('Address that it came from.') @Optional() @IsAnyText(64) ip?: string;
  @About('Its Idempotency-Key; null: none.') @Optional() @Nullable() @IsAnyText(255) idempotency_key?: string | null;
  @About('What it did to documents: `document_id`, `type`, `at`. Of a request that succeeded.')
  @Optional()
  @AnyObjects({ max: 100 })
  events?: object[];
}
