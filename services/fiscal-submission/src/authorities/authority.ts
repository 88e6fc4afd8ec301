import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import type {
  AttemptKind,
  Cancellation,
  AuthorityError,
  Opened,
  PreparedRecord,
  Registration,
  Result,
} from '../submission/domain/facts.ts';
import type { Http } from './http.ts';

/** One call, as it will go over the wire. */
export interface Message {
  kind: AttemptKind;
  /** New with every call. */
  id: string;
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  /** The exact bytes, as UTF-8; undefined where the method has none. */
  body?: string;
}

/** What makes one call differ from the one before about the same document. */
export interface Envelope {
  id: string;
  /** ISO 8601 */
  sentAt: string;
  /** Not the first time that this record is sent. */
  repeated: boolean;
}

export interface Reply {
  result: Result;
  /** null: no answer came. */
  status: number | null;
  received: Buffer | null;
}

/** A tax authority as the worker sees it. Everything but `send` is pure and works offline. */
export interface Authority {
  /** As in the issuer's `authority`. */
  readonly id: string;
  /** What is wrong with what the issuer has to show, or null. */
  validateCredentials(of: Pick<Opened, 'issuer_tax_id'>): AuthorityError | null;
  /** Freezes the record: issuer's code, link, text. Called once a round. */
  prepare(request: RegistrationRequested): Omit<PreparedRecord, 'deadline'>;
  /** Until when the authority takes a document that was issued then; null: for ever. */
  deadline(issuedAt: string): string | null;
  render(of: Opened, record: PreparedRecord, envelope: Envelope): Message;
  /**
   * Asks what stands under the document's number; absent where the authority has no such question.
   * @param record null: whether its registration was cancelled
   */
  query?(of: Opened, record: PreparedRecord | null, envelope: Envelope): Message;
  /** Takes a registration back; absent where the law wants a corrective document. */
  cancel?(of: Opened, registration: Registration, cancellation: Cancellation, envelope: Envelope): Message;
  /**
   * Makes the call and reads the answer. Never throws: what cannot be trusted is `unknown`, what certainly did not arrive `deferred`.
   * @param sha256 hash of the record that is ours: an answer about another one is `foreign`. null for cancellations.
   */
  send(message: Message, sha256: string | null, http: Http): Promise<Reply>;
}
