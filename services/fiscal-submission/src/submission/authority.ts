import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import type { AttemptKind, Cancellation, AuthorityError, Opened, PreparedRecord, Result } from './domain/facts.ts';
import type { Registered } from './domain/state.ts';
import type { Http } from '../sending/http.ts';

/** One call, as it is sent. */
export interface Message {
  kind: AttemptKind;
  /** Unique per call. */
  id: string;
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  /** The exact bytes, as UTF-8; undefined where the method has none. */
  body?: string;
}

/** What differs between two calls about the same document, and for whom they are made. */
export interface Envelope {
  /** Environment and account, such as `test.acct_…`. Never from what a caller sends: tax ids are free text. */
  taxpayer: string;
  id: string;
  /** ISO 8601 */
  sentAt: string;
  /** This record has been sent before. */
  repeated: boolean;
}

/** Which record is ours. */
export interface Ours {
  /** Lower-case hex SHA-256. */
  record_sha256: string;
  /** It is known to be registered; asked is only whether that was cancelled. */
  registered: boolean;
}

export interface Reply {
  result: Result;
  /** null: no response arrived. */
  status: number | null;
  received: Buffer | null;
}

/** The adapter of a tax authority. All methods except `send` are pure and work offline. */
export interface Authority {
  /** The value of the issuer's `authority`. */
  readonly id: string;
  /** Where it is called, such as https://authority.example: its certificate is watched. */
  readonly origin: string;
  /** Why the authority would reject the issuer's credentials, or null. */
  validateCredentials(of: Pick<Opened, 'issuer_tax_id'>): AuthorityError | null;
  /** Makes the record: issuer's code, link, text. Called once per round. */
  prepare(request: RegistrationRequested): Omit<PreparedRecord, 'deadline'>;
  /** When the authority stops accepting a document that was issued then (ISO 8601); null: never. */
  deadline(issuedAt: string): string | null;
  render(of: Opened, record: PreparedRecord, envelope: Envelope): Message;
  /**
   * Asks what is registered under the document's number; absent where the authority has no such query.
   * @param record_sha256 of our record, whether it is to be registered or cancelled
   */
  query?(of: Opened, record_sha256: string, envelope: Envelope): Message;
  /** Cancels a registration, by its code and its record's hash; absent where the law requires a corrective document. */
  cancel?(of: Opened, registration: Registered, cancellation: Cancellation, envelope: Envelope): Message;
  /**
   * Makes the call and interprets the response. Never throws: a response that cannot be trusted is `unknown`, a request that certainly did
   * not arrive is `deferred`.
   * @param ours a response about another record is `foreign`, and `unknown` where ours is registered
   */
  send(message: Message, ours: Ours, http: Http): Promise<Reply>;
}
