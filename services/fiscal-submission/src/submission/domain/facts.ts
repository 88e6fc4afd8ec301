export type DocumentKind = 'invoice' | 'receipt';
export type Fixable = 'data' | 'credentials' | 'setup';

/** Why the authority said no, and what has to be mended. */
export interface AuthorityError {
  code: string;
  message: string;
  fixable: Fixable;
}

/** One round: the document is handed to the authority. A rejected document that is submitted again is the next round. */
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

/** What is sent, frozen before the first call and never computed again. */
export interface PreparedRecord {
  /** The record's text as the authority hashes it. */
  record: string;
  /** Lower-case hex SHA-256 of its UTF-8 bytes. */
  sha256: string;
  issuer_code: string;
  verification_url: string;
  issued_at: string;
  /** A registration after this moment is a late one (ISO 8601). */
  late_after: string;
  /** After it the authority takes it no more; null: never. */
  deadline: string | null;
}

export type AttemptKind = 'submit' | 'query' | 'cancel';

export interface Started {
  /** Counts from 1 through all rounds. */
  n: number;
  round: number;
  kind: AttemptKind;
  message_id: string;
  /** Lower-case hex SHA-256 of the bytes sent. */
  request_sha256: string;
  at: string;
}

/** What a call came to. */
export type Result =
  | { verdict: 'registered'; code: string; registered_at: string; warnings: string[] }
  | { verdict: 'absent' } // the authority does not know the document; asked about a cancellation: the registration stands
  | { verdict: 'rejected'; error: AuthorityError }
  | { verdict: 'foreign'; error: AuthorityError } // another record stands under its number
  | { verdict: 'cancelled'; cancelled_at: string }
  | { verdict: 'refused'; error: Omit<AuthorityError, 'fixable'> } // of a cancellation
  | { verdict: 'deferred'; error: Omit<AuthorityError, 'fixable'> } // certainly not processed
  | { verdict: 'unknown'; error: Omit<AuthorityError, 'fixable'> }; // no answer that can be trusted
export type Verdict = Result['verdict'];

export interface Ending {
  n: number;
  verdict: Verdict;
  duration_ms: number;
  http_status: number | null;
  error: Omit<AuthorityError, 'fixable'> | null;
  /** Lower-case hex SHA-256 of the bytes received; null when nothing came. */
  response_sha256: string | null;
  next_attempt_at: string | null;
  at: string;
}

/** Which registration is in doubt. */
export interface Doubt {
  document_id: string;
  kind: DocumentKind;
  round: number;
  authority: string;
}

export interface Registration {
  code: string;
  issuer_code: string;
  registered_at: string;
  verification_url: string;
  late: boolean;
  warnings: string[];
}

/** A wish to cancel. `sequence` is that of the message that brought it: one that was seen is not obeyed twice. */
export interface Cancellation {
  sequence: number;
  reason: string;
  simulate: string | null;
}
