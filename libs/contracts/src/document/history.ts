import { documentResources } from '../documents.ts';
import { About, FieldsOf, IsAnyText, IsTimestamp, IsWhole, Nested, Nullable, OneOf, Optional } from '../schema/decorators/index.ts';
import { type HistoryType, historyTypes } from './vocabulary.ts';

export class HistoryActor {
  @About('Kind of actor.') @OneOf(['api_key', 'member', 'system']) type: 'api_key' | 'member' | 'system';
  @About('Identifier of the key or member; null for the system.') @Nullable() @IsAnyText(64) id: string | null;
  @About('Name of the member, as it is now.') @Optional() @IsAnyText(255) name?: string;
}

/** One event of a document. */
export class HistoryEntry {
  @About('Version of the document after it.') @IsWhole({ min: 1, max: Number.MAX_SAFE_INTEGER }) version: number;
  @About('What happened.') @OneOf(historyTypes) type: HistoryType;
  @About('When it happened, UTC.') @IsTimestamp() at: string;
  @About('Who did it.') @Nested(() => HistoryActor) actor: HistoryActor;
  @About('Request by which it was done; null when none was.') @Nullable() @IsAnyText(64) request_id: string | null;
  @About('Fields and what they became.') @FieldsOf(() => documentResources) changes: Record<string, unknown>;
}
