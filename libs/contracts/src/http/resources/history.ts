import { AnyObject, IsAnyText, IsTimestamp, IsWhole, Nested, Nullable, OneOf } from '../decorators/index.ts';
import { attemptKinds, attemptOutcomes, historyTypes } from '../vocabulary.ts';
import type { HistoryType } from '../vocabulary.ts';

export class HistoryActor {
  @OneOf(['api_key', 'member', 'system']) type: 'api_key' | 'member' | 'system';
  @Nullable() @IsAnyText(64) id: string | null;
}

/** One thing that happened to a document. */
export class HistoryEntry {
  @IsWhole({ min: 1, max: Number.MAX_SAFE_INTEGER }) version: number;
  @OneOf(historyTypes) type: HistoryType;
  @IsTimestamp() at: string;
  @Nested(() => HistoryActor) actor: HistoryActor;
  @Nullable() @IsAnyText(64) request_id: string | null;
  /** Fields and what they became. */
  @AnyObject() changes: Record<string, unknown>;
}

export class AttemptError {
  @IsAnyText(255) code: string;
  @IsAnyText(2000) message: string;
}

/** One exchange with the tax authority. */
export class AttemptEntry {
  @IsWhole({ min: 1, max: 1_000_000 }) n: number;
  @IsTimestamp() at: string;
  @Nullable() @IsWhole({ min: 0, max: 86_400_000 }) duration_ms: number | null;
  @OneOf(attemptKinds) kind: (typeof attemptKinds)[number];
  /** Null while it goes on. */
  @Nullable() @OneOf(attemptOutcomes) outcome: (typeof attemptOutcomes)[number] | null;
  @Nullable() @IsAnyText(255) message_id: string | null;
  @Nullable() @IsAnyText(64) request_sha256: string | null;
  @Nullable() @IsWhole({ min: 100, max: 599 }) http_status: number | null;
  @Nullable() @Nested(() => AttemptError) error: AttemptError | null;
}
