import type { Env } from '@svc/kernel';
import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import type { Cancellation, CallKind, AuthorityError, Opened, PreparedRecord, Result, SentRecord } from './domain/facts.ts';
import type { ChainLink, Link } from '../chain/domain/link.ts';
import type { HttpResponse } from '../sending/http.ts';
import type { Signed } from '../signing/signer.ts';
import type { Needs } from './domain/needs.ts';
import type { Registered } from './domain/state.ts';

/** One call, as it is sent. */
export interface Message {
  kind: CallKind;
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
  /** When it was sent first (ISO 8601); null: it was not. */
  firstSentAt: string | null;
  /** That sending failed at the authority: it could not be reached, or gave no answer that can be trusted. Absent: it did not. */
  authorityFailed?: boolean;
}

/** Which record is ours. */
export interface Ours {
  /** Lower-case hex SHA-256. */
  record_sha256: string;
  /** It is known to be registered; asked is only whether that was cancelled. */
  registered: boolean;
  /** Of the record. */
  reference?: string | undefined;
  /** Of the registered one that it replaces. Absent: it replaces none. */
  amends?: string | undefined;
}

/** What completes a record: its link where the authority has a chain, its signature where the issuer's code is one. */
export interface Completion {
  link: ChainLink | null;
  signature: Signed | null;
}

/** A message that the issuer's key signs. */
export interface Unsigned {
  /** The text that is signed (RSASSA-PKCS1-v1_5 with SHA-256, RFC 8017). */
  text: string;
  signedWith(signed: Signed): Message;
}

/** A till as its registration states it. Days are yyyy-mm-dd. */
export interface Till {
  issuer_tax_id: string;
  /** The unit's code, as the authority gave it. */
  unit: string;
  /** What the issuer calls it. */
  internal_id: string;
  software_code: string;
  maintainer_code: string;
  type: 'regular' | 'vending';
  valid_from: string;
  /** null: without an end. */
  valid_to: string | null;
}

/** Sendings of several records of one chain, in its order. */
export interface Batch {
  /** What records of one sending have in common, such as that they are late. `sentAt`: ISO 8601. */
  group(record: SentRecord, sentAt: string): string;
  render(records: readonly SentRecord[], envelope: Envelope): Message;
  /**
   * What became of the records. May throw: then it is `unknown` of all.
   */
  read(message: Message, ours: readonly Ours[], response: HttpResponse): BatchAnswer;
}

export interface BatchAnswer {
  /** One a record, in their order, of a cancellation as of a registration. */
  results: readonly Result[];
  /** Before the next sending; null: the answer names none. */
  waitMs: number | null;
  /** The message was refused, for what one of its records may be: each result is that of the record if it was sent alone. */
  refusedTogether?: true;
}

/** Cancellations that are records of the chain. */
export interface ChainedCancellations {
  link(registration: Registered, previous: ChainLink['previous'], at: string): Link;
  /** The record, whole. `link`: its own. */
  record(registration: Registered, link: ChainLink): SentRecord;
}

/** A page of what is registered of an issuer. `reference`: of one of its records; `month`: yyyy-mm; `after`: as the page before says, '' for the first. */
export interface ListingAsked {
  /** As in an envelope. */
  taxpayer: string;
  reference: string;
  month: string;
  after: string;
}

/** A record that the authority has. `day`: as it writes it; `hash`: as the record's link has it. */
export interface Listed {
  number: string;
  day: string;
  hash: string;
}

/** `next`: where the next page begins; null: this is the last. */
export interface ListingPage {
  records: Listed[];
  next: string | null;
}

/** Pages of what is registered. */
export interface Listing<Draft> {
  /** How long a page may take, in milliseconds, and how much it may have. */
  readonly deadlineMs: number;
  readonly mostBytes: number;
  /** What names the issuer of a record that has no link yet, as the reference of a whole one does. */
  reference(draft: Draft): string;
  render(asked: ListingAsked): Message;
  /** Throws where the answer is no page. Others are served while a large one is read. */
  read(response: HttpResponse): Promise<ListingPage>;
}

/** What a query is about: `reference` of the record, whose registration or cancellation is asked for. */
export type About = Pick<Ours, 'record_sha256' | 'reference'>;

/** Records that mend registered ones, as further records of the chain. */
export interface Amendments<Draft> {
  /** The draft as this release makes it of what a stored one says of its document. */
  draft(stored: Draft): Draft;
  /** The record, whole. `wasRefused`: the amendment before it was. */
  record(draft: Draft, link: ChainLink, wasRefused: boolean): SentRecord;
}

/** The adapter of a tax authority: what differs between authorities. All methods are pure and work offline. `Draft`: JSON, amounts as text. */
export interface Authority<Draft extends object = object> {
  /** The value of the issuer's `authority`. */
  readonly id: string;
  /** Where it is called, such as https://authority.example: its certificate is watched. */
  readonly origin: string;
  readonly needs: Needs;
  /** The form of all of its fiscal codes, and that form in words. Absent: they have none that is certain. */
  readonly codeForm?: { pattern: RegExp; words: string };
  /** Its connection is a simulator's: outcomes that test documents ask for go with their calls, and issuers without a certificate have a published one. */
  readonly isSimulated?: true;
  /** Where it is called by whoever shows this certificate (PEM), where that makes a difference. */
  originFor?(certificate: string): string;
  /** Certificates, in PEM, of those who may have issued the server's: no others are accepted. Absent: as the machine trusts. */
  readonly anchors?: readonly string[];
  /** Whether the warnings of a registered record, or the code by which one was refused, say that this software made it wrong. Absent: none do. */
  isDefect?(codes: readonly string[]): boolean;
  /** How long a call may take, with its answer, in milliseconds. */
  readonly deadlineMs: number;
  /** Why the authority would reject whatever this issuer sends, or null. */
  check(of: Pick<Opened, 'issuer_tax_id'>): AuthorityError | null;
  /** The record as far as the document says it: what `complete`, `link` and `signed` begin with. Called once per round. */
  record(request: RegistrationRequested): Draft;
  /** The chain of the record's issuer; present where the authority needs one. Letters and digits. */
  chain?(request: RegistrationRequested): { installation: string; taxId: string };
  /** The record's hash behind the one before, and what the next states of it; present where the authority needs a chain. `at`: ISO 8601. */
  link?(draft: Draft, previous: ChainLink['previous'], at: string): Link;
  /** The text of the issuer's code; present where the code is a signature. */
  signed?(draft: Draft): string;
  /** The record, whole: issuer's code, link for its check, the text that is sent. */
  complete(draft: Draft, completion: Completion): Omit<PreparedRecord, 'deadline'>;
  /** When the authority stops accepting a document that was issued then, and is late for that reason (ISO 8601); null: never. */
  deadline(issuedAt: string, lateReason: string | null): string | null;
  /** Message id, send time and signature are new each time; the record never is. */
  render(of: Opened, record: PreparedRecord, envelope: Envelope): Message | Unsigned;
  /** Registers a till, or sets its last day; present where documents name one. Repeatable: `registered` has the till's code, the same for the same `unit` and `internal_id`. */
  till?(till: Till, envelope: Envelope): Message | Unsigned;
  /** Registers the opening of a till; present where records name one. An answer that it is open already is `registered`. */
  opening?(record: PreparedRecord, envelope: Envelope): Message | Unsigned;
  /** Present where a sending has more than one record; records of a chain are sent by it, also a single one. */
  readonly batch?: Batch;
  /**
   * Asks what is registered under the document's number; absent where the authority has no such query.
   * @param about our record, whether it is to be registered or cancelled
   */
  query?(of: Opened, about: About, envelope: Envelope): Message | Unsigned;
  /** Lists what is registered of an issuer, for operators; present where the authority does. */
  readonly listing?: Listing<Draft>;
  /** Present where cancellations are records of the chain, which `batch` sends. */
  readonly cancellations?: ChainedCancellations;
  /** Present where a registered record can be mended; `link` links it, and `batch` sends it. */
  readonly amendments?: Amendments<Draft>;
  /** Cancels a registration, by its code and its record's hash; absent where the law requires a corrective document. */
  cancel?(
    of: Opened,
    registration: Registered,
    cancellation: Cancellation & { record?: SentRecord },
    envelope: Envelope,
  ): Message | Unsigned;
  /**
   * The result of a response. A response that cannot be trusted is `unknown`. May throw: then it is `unknown` too.
   * @param ours a response about another record is `foreign`, and `unknown` where ours is registered
   */
  read(message: Message, ours: Ours, response: HttpResponse): Result;
  /** The time at which an answer says that it was made, in milliseconds since 1970, besides the `Date` of its server; NaN where it does not. Asked of answers alone that can be trusted. */
  saidAt?(response: HttpResponse): number;
}

/** The adapters by environment and id: test documents and live ones share no connection. */
export type Authorities = Readonly<Record<Env, ReadonlyMap<string, Authority>>>;
