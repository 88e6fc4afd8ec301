import { IsAnyText, IsDay, IsExact, IsTimestamp, IsWhole, Nested, Nullable, OneOf, Optional } from '../schema/decorators/index.ts';
import { HistoryActor } from './history.ts';
import { type HistoryType, historyTypes } from './vocabulary.ts';

/** A payment that was recorded or reversed. */
export class EntryPayment {
  @IsAnyText(64) id: string;
  /** In the document's currency. */
  @IsExact() amount: number;
  @IsDay() paid_at: string;
}

/** A number that was taken. */
export class EntryNumber {
  @IsWhole({ min: 1, max: Number.MAX_SAFE_INTEGER }) seq: number;
  /** `<series>[.<unit>[.<device>]][.<year>]`: documents with the same key share one count. */
  @IsAnyText(255) series_key: string;
  /** The first number of the count; absent where it is not known. */
  @Optional() @IsWhole({ min: 1, max: Number.MAX_SAFE_INTEGER }) first_seq?: number;
}

/** A void that a corrective carries out. */
export class EntryVoid {
  /** Of the corrective: the day on which the void counts. */
  @IsDay() issue_date: string;
}

/**
 * The line of a document's history that an event is, with what the resource does not show. Its version is the event's `sequence`. Not sent to
 * subscribers of webhooks.
 */
export class DocumentEntry {
  /** Counts the public events of the document from 1, without gaps: versions skip those that are not published. */
  @IsWhole({ min: 1, max: Number.MAX_SAFE_INTEGER }) line: number;
  /** `delayed` also where only the reason of the delay changed. */
  @OneOf(historyTypes) type: HistoryType;
  @IsTimestamp() at: string;
  @Nested(() => HistoryActor) actor: HistoryActor;
  @Nullable() @IsAnyText(64) request_id: string | null;
  @Optional() @Nested(() => EntryPayment) payment?: EntryPayment;
  @Optional() @Nested(() => EntryNumber) numbered?: EntryNumber;
  @Optional() @Nested(() => EntryVoid) voided?: EntryVoid;
}
