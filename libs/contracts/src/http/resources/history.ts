import { About, AnyObject, IsAnyText, IsTimestamp, IsWhole, Nested, Nullable, OneOf } from '../decorators/index.ts';
import { attemptKinds, attemptOutcomes, historyTypes } from '../vocabulary.ts';
import type { HistoryType } from '../vocabulary.ts';

export class HistoryActor {
  @About('Kind of actor.') @OneOf(['api_key', 'member', 'system']) type: 'api_key' | 'member' | 'system';
  @About('Identifier of the key or member; null for the system.') @Nullable() @IsAnyText(64) id: string | null;
}

/** One thing that happened to a document. */
export class HistoryEntry {
  @About('Version of the document after it.') @IsWhole({ min: 1, max: Number.MAX_SAFE_INTEGER }) version: number;
  @About('What happened.') @OneOf(historyTypes) type: HistoryType;
  @About('When it happened, UTC.') @IsTimestamp() at: string;
  @About('Who did it.') @Nested(() => HistoryActor) actor: HistoryActor;
  @About('Request by which it was done; null when none was.') @Nullable() @IsAnyText(64) request_id: string | null;
  @About('Fields and what they became.') @AnyObject() changes: Record<string, unknown>;
}

export class AttemptError {
  @About('Code of the error.') @IsAnyText(255) code: string;
  @About('What went wrong.') @IsAnyText(2000) message: string;
}

/** One exchange with the tax authority. */
export class AttemptEntry {
  @About('Counts from 1.') @IsWhole({ min: 1, max: 1_000_000 }) n: number;
  @About('When the exchange began, UTC.') @IsTimestamp() at: string;
  @About('How long it took, in milliseconds; null while it goes on.') @Nullable() @IsWhole({ min: 0, max: 86_400_000 }) duration_ms:
    number | null;
  @About('What was asked of the authority.') @OneOf(attemptKinds) kind: (typeof attemptKinds)[number];
  @About('What came of it; null while it goes on.') @Nullable() @OneOf(attemptOutcomes) outcome: (typeof attemptOutcomes)[number] | null;
  @About('Identifier of the message to the authority.') @Nullable() @IsAnyText(255) message_id: string | null;
  @About('SHA-256 of what was sent, hex.') @Nullable() @IsAnyText(64) request_sha256: string | null;
  @About('HTTP status of the authority’s answer; null without an answer.') @Nullable() @IsWhole({ min: 100, max: 599 }) http_status:
    number | null;
  @About('What went wrong; null when nothing did.') @Nullable() @Nested(() => AttemptError) error: AttemptError | null;
}
