import type { DocumentKind } from '@svc/contracts/documents';

export type Fixable = 'data' | 'credentials' | 'setup';

/** Why the authority rejected a document, and what has to be fixed. */
export interface AuthorityError {
  code: string;
  message: string;
  fixable: Fixable;
}

/** One round of submission. Resubmitting a rejected document is the next round. */
export interface Opened {
  document_id: string;
  kind: DocumentKind;
  /** Counts from 1. */
  round: number;
  authority: string;
  number: string;
  issuer_tax_id: string;
  /** The document's `metadata.simulate`; null in live documents. */
  simulate: string | null;
  traceparent: string | null;
}

/** What a record lacks when it is opened: a link of its chain, a signature by the issuer's key, or both. */
export interface Unprepared {
  /** JSON of the record as far as the document says it, in the adapter's own form. */
  draft: string;
  /** The chain's stream, and its revision before the link was asked for; null: the authority has no chain. */
  chain: { stream: string; seen: string } | null;
  /** As of the prepared record. */
  deadline: string | null;
}

/** Something that the authority does not take as the document has it, and what is sent instead. Nothing is refused for it. */
export interface RecordWarning {
  code: string;
  message: string;
}

/** What is sent, computed before the first call and never again. */
export interface PreparedRecord {
  /** The record's text as the authority hashes it. */
  record: string;
  /** Lower-case hex SHA-256 of its UTF-8 bytes. */
  sha256: string;
  issuer_code: string;
  verification_url: string;
  issued_at: string;
  /** A registration after this time is late (ISO 8601). */
  late_after: string;
  /** The authority accepts no submission after it; null: no deadline. */
  deadline: string | null;
  /** Why it is sent late, where the issuer says so in words that the authority knows. Absent in records of release 0.1.0 (until 0.3). */
  late_reason?: string | null;
  /** Absent: none. */
  warnings?: RecordWarning[];
  /** What names it to the authority, in the adapter's own form. Absent: the number alone does. */
  reference?: string;
  /** The opening of its till on its day, which has to be registered before it: letters, digits, `.` and `-`. Absent: none has. */
  opening?: string;
}

/** What is sent of a record, and when it is late (ISO 8601). */
export type SentRecord = Pick<PreparedRecord, 'record' | 'sha256' | 'late_after' | 'reference'>;

/** `deposit`: the opening of a till, before its first document of a day. */
export type AttemptKind = 'submit' | 'query' | 'cancel' | 'deposit';
/** Of calls: those of attempts, and the registration of a till, which is of no document. */
export type CallKind = AttemptKind | 'till';

export interface Started {
  /** Counts from 1 through all rounds. */
  n: number;
  round: number;
  kind: AttemptKind;
  message_id: string;
  /** Lower-case hex SHA-256 of the bytes sent. */
  request_sha256: string;
  at: string;
  /** Of the record that is sent. Absent: none. */
  warnings?: RecordWarning[];
  /** The amendment that is sent, or asked for. Absent: none is. */
  amendment?: number;
}

/** What an answer says of a registration besides. */
export interface Details {
  /** The authority's words of each warning. Absent: there are none. */
  warned?: RecordWarning[];
  /** What `code` is, where the authority has several kinds. */
  code_kind?: 'csv' | 'request_id';
}

/** The result of a call. */
export type Result =
  | ({ kind: 'registered'; code: string; registered_at: string; warnings: string[]; late?: boolean } & Details)
  | { kind: 'absent' } // The document is not known; for a cancellation: the registration stands.
  | { kind: 'rejected'; error: AuthorityError; ofRecord?: true } // `ofRecord`: it is malformed, and the whole message was refused for it.
  | { kind: 'foreign'; error: AuthorityError } // Another record is registered under its number.
  | { kind: 'cancelled'; cancelled_at: string }
  | { kind: 'refused'; error: Omit<AuthorityError, 'fixable'>; ofRecord?: true } // A cancellation was refused.
  | { kind: 'deferred'; error: Omit<AuthorityError, 'fixable'>; fixable?: Fixable; ofAll?: true; ofRecord?: true; byPerson?: true } // Certainly not processed; `fixable`: and will not be before; `ofAll`: nor is any other message; `ofRecord`: the record itself may be the cause; `byPerson`: before a person has ended it.
  | { kind: 'unknown'; error: Omit<AuthorityError, 'fixable'> }; // No response that can be trusted.
/** The code of an attempt whose process died: it says nothing about the authority. */
export const INTERRUPTED = 'interrupted';
/** The code of the doubt about a record that may have been sent after the backup from which the store was restored. */
export const RESTORED = 'restored';
/** The code of an attempt that found no connection: nothing was sent, for a reason that is not this side's certificate. */
export const UNREACHABLE = 'unreachable';
/** The code of an attempt that has made no call: it says nothing about the authority. */
export const NOT_SENT = 'not_sent';
/** The code of an attempt whose sending was refused for one of its records: it says nothing about the others. */
export const REFUSED_TOGETHER = 'refused_together';

export type ResultKind = Result['kind'];

export interface Ending {
  n: number;
  /** The kind of the result. */
  verdict: ResultKind;
  duration_ms: number;
  http_status: number | null;
  error: Omit<AuthorityError, 'fixable'> | null;
  /** Lower-case hex SHA-256 of the bytes received; null without a response. */
  response_sha256: string | null;
  next_attempt_at: string | null;
  at: string;
}

/** What a person found out about a submission in doubt. `note`: how. */
export type Resolution = { outcome: 'registered'; code: string; note: string } | { outcome: 'not_registered'; note: string };

/** Identifies the registration that is in doubt. */
export interface Doubt {
  document_id: string;
  kind: DocumentKind;
  round: number;
  authority: string;
}

/** Published of a registration that is still open, when what a person must do has changed. `fixable`: what has to be fixed. */
export interface News extends Doubt {
  status: 'pending' | 'unknown';
  fixable: Fixable | null;
}

/** Why a record cannot be prepared yet, and when it is tried again. */
export interface Held {
  error: Omit<AuthorityError, 'fixable'>;
  /** Of the calls before. */
  attempts: number;
  next_attempt_at: string;
}

export interface Registration extends Details {
  code: string;
  issuer_code: string;
  registered_at: string;
  verification_url: string;
  late: boolean;
  warnings: string[];
}

/** A request to cancel. `sequence` is that of its message; a repeated message is ignored. */
export interface Cancellation {
  sequence: number;
  reason: string;
  simulate: string | null;
  /** The chain of its document, and a revision that it had reached when this was requested: its link is behind that. Absent: there was none yet, and before 0.2. */
  chain?: { stream: string; seen: string };
}
