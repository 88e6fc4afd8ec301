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

/** What differs between two calls about the same document. */
export interface Envelope {
  id: string;
  /** ISO 8601 */
  sentAt: string;
  /** This record has been sent before. */
  repeated: boolean;
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
   * @param record null: asks whether the registration was cancelled
   */
  query?(of: Opened, record: PreparedRecord | null, envelope: Envelope): Message;
  /** Cancels a registration; absent where the law requires a corrective document. */
  cancel?(of: Opened, registration: Registration, cancellation: Cancellation, envelope: Envelope): Message;
  /**
   * Makes the call and interprets the response. Never throws: a response that cannot be trusted is `unknown`, a request that certainly did
   * not arrive is `deferred`.
   * @param sha256 hash of our record: a response about another one is `foreign`. null for cancellations.
   */
  send(message: Message, sha256: string | null, http: Http): Promise<Reply>;
}
