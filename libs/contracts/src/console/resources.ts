import { type Grant, grants, type Plan, plans } from '../account/vocabulary.ts';
import { Limits } from '../account/resource.ts';
import { Setup } from '../issuer/setup.ts';
import { type AuthorityId, type Rounding, roundings } from '../issuer/vocabulary.ts';
import { ListLinks, ListMeta } from '../http/list.ts';
import { RequestResource } from '../request/resource.ts';
import {
  About,
  AnyObject,
  IsAnyText,
  IsCurrency,
  IsExact,
  IsFlag,
  IsPrefixedId,
  IsTimestamp,
  IsTimeZone,
  IsWhole,
  Nested,
  NestedList,
  Nullable,
  OneOf,
  Optional,
  SomeOf,
  AnyTextList,
} from '../schema/decorators/index.ts';
import { type Role, roles } from './roles.ts';

const count = () => IsWhole({ min: 0, max: Number.MAX_SAFE_INTEGER });

export class ConsoleUser {
  @About('Identifier, `usr_…`.') @IsPrefixedId('usr') id: string;
  @About('E-mail.') @IsAnyText(255) email: string;
  @About('Name; null where none is set.') @Nullable() @IsAnyText(255) name: string | null;
  @About('Language of the pages, BCP 47; null: that of the browser.') @Nullable() @IsAnyText(35) language: string | null;
  @About('Whether two factors are on.') @IsFlag() totp: boolean;
}

export class SessionAccount {
  @About('Identifier, `acct_…`.') @IsPrefixedId('acct') id: string;
  @About('Name of the account.') @IsAnyText(255) name: string;
  @About('Role of the user in it.') @OneOf(roles) role: Role;
  @About('Whether the session acts in it.') @IsFlag() current: boolean;
}

export class SessionResource {
  @About('Kind of resource.') @OneOf(['session']) object: 'session';
  @About('Who is signed in.') @Nested(() => ConsoleUser) user: ConsoleUser;
  @About('The accounts of the user.') @NestedList(() => SessionAccount, { max: 1_000 }) accounts: SessionAccount[];
  @About('Until a password is set, nothing else is possible.') @IsFlag() must_set_password: boolean;
  @About('Until the code of the second factor is entered, nothing else is possible.') @IsFlag() must_enter_code: boolean;
  @About('The account demands two factors: until they are on, nothing else is possible.') @IsFlag() must_set_totp: boolean;
}

export class SteppedUp {
  @About('Until when what needs it may be done, UTC.') @IsTimestamp() until: string;
}

export class TillResource {
  @About('Business unit.') @IsAnyText(64) unit: string;
  @About('Device.') @IsAnyText(64) device: string;
  @About('Operator of the member; null: none.') @Nullable() @IsAnyText(64) operator: string | null;
}

/** A business unit with its tills, by their codes. */
export class UnitTills {
  @About('Code of the unit.') @IsAnyText(40) code: string;
  @About('Codes of its tills.') @AnyTextList(40, { max: 100 }) devices: string[];
}

/** What of the issuer every member works by, also who may not read its settings. */
export class IssuerBasics {
  @About('IANA time zone; “today” and report periods follow it.') @IsTimeZone() time_zone: string;
  @About('ISO 4217 code of documents that state none.') @IsCurrency() currency: string;
  @About('Whether prices include tax where an invoice does not say.') @IsFlag() prices_include_tax: boolean;
  @About('`line`: each line is rounded; `precise`: only tax groups and totals are.') @OneOf(roundings) rounding: Rounding;
  @About('VAT rate in per cent of lines that state no tax.') @Nullable() @IsExact() default_tax_rate: number | null;
  @About('Tax authorities that an issuer of this environment can have.') @AnyTextList(40, { max: 10 }) authorities: AuthorityId[];
  @About('Business units, from which a till is chosen.') @NestedList(() => UnitTills, { max: 100 }) units: UnitTills[];
}

export class OpenSession {
  @About('Identifier, `ses_…`; not the value of the cookie.') @IsPrefixedId('ses') id: string;
  @About('When it began, UTC.') @IsTimestamp() created_at: string;
  @About('When it was last used, UTC.') @IsTimestamp() last_used_at: string;
  @About('Address that it began from.') @IsAnyText(64) ip: string;
  @About('Browser that it began in; null where none was named.') @Nullable() @IsAnyText(255) user_agent: string | null;
  @About('Whether it is this one.') @IsFlag() current: boolean;
}

/** As it was sent. */
export class UnfinishedForm {}

/** What is answered where there is nothing to show. */
export class Done {
  @About('Always true.') @IsFlag() done: boolean;
}

export class MemberResource {
  @About('Identifier, `mem_…`.') @IsPrefixedId('mem') id: string;
  @About('E-mail.') @IsAnyText(255) email: string;
  @About('Name; null where none was given.') @Nullable() @IsAnyText(255) name: string | null;
  @About('What the member may do.') @OneOf(roles) role: Role;
  @About('Whether the member is kept out.') @IsFlag() disabled: boolean;
  @About('Operator that the member is at tills; null: none.') @Nullable() @IsAnyText(64) operator: string | null;
  @About('When the invitation was taken, UTC; null: not yet.') @Nullable() @IsTimestamp() joined_at: string | null;
  @About('When it was removed, UTC; null while it is a member.') @Nullable() @IsTimestamp() deleted_at: string | null;
  @About('Version, for `If-Match`.') @IsWhole({ min: 1, max: Number.MAX_SAFE_INTEGER }) version: number;
}

export class InvitedMember extends MemberResource {
  @About('One-time link for the person, in this answer alone.') @IsAnyText(2_048) invitation_url: string;
}

export class NamedKey {
  @About('Identifier, `key_…`.') @IsPrefixedId('key') id: string;
  @About('Name of the key.') @IsAnyText(255) name: string;
}

export class RemovedMember extends MemberResource {
  @About('The live keys that the member made; they go on.') @NestedList(() => NamedKey, { max: 100 }) keys: NamedKey[];
}

export class ResetLink {
  @About('One-time link to set a new password, in this answer alone.') @IsAnyText(2_048) reset_url: string;
}

export class TotpSecret {
  @About('Secret for the authenticator, base32, in this answer alone.') @IsAnyText(64) secret: string;
  @About('The same as a URL, for a QR code.') @IsAnyText(2_048) otpauth_url: string;
}

export class RecoveryCodes {
  @About('Each stands for one code of the authenticator, in this answer alone.') @AnyTextList(64, { max: 10 }) recovery_codes: string[];
}

export class ConsoleAccount {
  @About('Identifier, `acct_…`.') @IsPrefixedId('acct') id: string;
  @About('Kind of resource.') @OneOf(['account']) object: 'account';
  @About('Name of the account.') @IsAnyText(255) name: string;
  @About('Plan, which sets the limits.') @OneOf(plans) plan: Plan;
  @About('Limits per minute of each environment, and the storage.') @Nested(() => Limits) limits: Limits;
  @About('Whether every member needs two factors.') @IsFlag() require_totp: boolean;
  @About('Whether the operator has suspended it.') @IsFlag() suspended: boolean;
  @About('When it was created, UTC.') @IsTimestamp() created_at: string;
  @About('When it last changed, UTC.') @IsTimestamp() updated_at: string;
}

const grantsOfRole = () => AnyTextList(64, { max: 30 });

export class EnvironmentPermissions {
  @About('In live.') @grantsOfRole() live: string[];
  @About('In the sandbox.') @grantsOfRole() test: string[];
}

export class EnvironmentFlags {
  @About('In live.') @IsFlag() live: boolean;
  @About('In the sandbox.') @IsFlag() test: boolean;
}

export class Me {
  @About('The session, `ses_…`; not the value of the cookie.') @IsPrefixedId('ses') session_id: string;
  @About('Who is signed in.') @Nested(() => ConsoleUser) user: ConsoleUser;
  @About('The membership in the account of this session.') @Nested(() => MemberResource) member: MemberResource;
  @About('The account of this session.') @Nested(() => ConsoleAccount) account: ConsoleAccount;
  @About('What the member may do; `*` is everything.') @Nested(() => EnvironmentPermissions) permissions: EnvironmentPermissions;
  @About('Whether the member sees personal data of customers and documents, and the files that hold it.')
  @Nested(() => EnvironmentFlags)
  personal_data: EnvironmentFlags;
  @About('Till of this session; null: none.') @Nullable() @Nested(() => TillResource) till: TillResource | null;
  @About('Until a password is set, nothing else is possible.') @IsFlag() must_set_password: boolean;
  @About('Until two factors are on, nothing else is possible.') @IsFlag() must_set_totp: boolean;
}

export class ConsoleActor {
  @About('Kind of actor.') @OneOf(['member', 'api_key', 'operator', 'system']) type: 'member' | 'api_key' | 'operator' | 'system';
  @About('Identifier.') @Nullable() @IsAnyText(255) id: string | null;
  @About('Name; null where it has none, or has none any more.') @Nullable() @IsAnyText(255) name: string | null;
}

/** Requests as keys read them, and who asked. */
export class RequestsWithActors {
  @About('The items of this page.') @NestedList(() => RequestResource, { max: 100 }) data: RequestResource[];
  @About('Who asked for them.') @NestedList(() => ConsoleActor, { max: 100 }) actors: ConsoleActor[];
  @About('Where this page is in the list.') @Nested(() => ListMeta) meta: ListMeta;
  @About('Absolute links to other pages, with all filters.') @Nested(() => ListLinks) links: ListLinks;
}

/** A request as members see it. */
export class RequestWithActor extends RequestResource {
  @About('Who asked. Not of a request that succeeded.') @Optional() @Nested(() => ConsoleActor) actor?: ConsoleActor;
}

/** An API key as members see it. */
export class ConsoleKey {
  @About('Identifier, `key_…`; rotation keeps it.') @IsPrefixedId('key') id: string;
  @About('Kind of resource.') @OneOf(['api_key']) object: 'api_key';
  @About('True for a live key, false in the sandbox.') @IsFlag() livemode: boolean;
  @About('Name of the key.') @IsAnyText(255) name: string;
  @About('First 12 characters of the value.') @IsAnyText(12) start: string;
  @About('What the key may do; `*` is everything.') @SomeOf(grants, { max: grants.length }) permissions: Grant[];
  @About('Addresses and networks that may use it; null: any.') @Nullable() @AnyTextList(64, { max: 20 }) allowed_ips: string[] | null;
  @About('False: it reads null for personal data.') @IsFlag() personal_data: boolean;
  @About('Who made it; null: not known.') @Nullable() @Nested(() => ConsoleActor) created_by: ConsoleActor | null;
  @About('When it was created, UTC.') @IsTimestamp() created_at: string;
  @About('When it last changed, UTC.') @IsTimestamp() updated_at: string;
  @About('Counts changes from 1.') @count() version: number;
  @About('When it was last used, to the minute, UTC.') @Nullable() @IsTimestamp() last_used_at: string | null;
  @About('Where it was last used from.') @Nullable() @IsAnyText(64) last_used_ip: string | null;
  @About('When it stops being valid, UTC; null: never.') @Nullable() @IsTimestamp() expires_at: string | null;
  @About('When the value before the last rotation stops being valid, UTC.') @Nullable() @IsTimestamp() previous_expires_at: string | null;
  @About('When it was revoked, UTC; null while it is valid.') @Nullable() @IsTimestamp() deleted_at: string | null;
  @About('The value, in the answer to creation and rotation alone.') @Optional() @IsAnyText(64) key?: string;
}

export class UsedLimit {
  @About('Name of the limit.') @IsAnyText(64) name: string;
  @About('Most in a window.') @count() size: number;
  @About('Used in the present window.') @count() used: number;
  @About('When the window ends, UTC.') @IsTimestamp() reset: string;
}

export class RequestsOfDay {
  @About('Day, UTC.') @IsAnyText(10) day: string;
  @About('Requests of that day.') @count() count: number;
}

export class StoredBytes {
  @About('Bytes that are stored.') @count() bytes: number;
  @About('Bytes that may be stored.') @Nullable() @count() quota: number | null;
}

export class UsageResource {
  @About('Each limit.') @NestedList(() => UsedLimit, { max: 20 }) limits: UsedLimit[];
  @About('Requests a day, of 30 days, the oldest first.') @NestedList(() => RequestsOfDay, { max: 30 }) requests: RequestsOfDay[];
  @About('What both environments store.') @Nested(() => StoredBytes) storage: StoredBytes;
}

export class AuditTarget {
  @About('Kind of what was changed.') @IsAnyText(64) type: string;
  @About('Identifier.') @Nullable() @IsAnyText(255) id: string | null;
  @About('Name; null where it has none.') @Nullable() @IsAnyText(255) name: string | null;
}

export class AuditEntryResource {
  @About('Identifier.') @IsAnyText(64) id: string;
  @About('When it was done, UTC.') @IsTimestamp() at: string;
  @About('Who did it.') @Nested(() => ConsoleActor) actor: ConsoleActor;
  @About('What was done, such as `api_key.created`.') @IsAnyText(64) action: string;
  @About('What it was done to.') @Nested(() => AuditTarget) target: AuditTarget;
  @About('Fields, each with the value before and after.') @AnyObject() changes: Record<string, { from: unknown; to: unknown }>;
  @About('`link`: in a session that began by a one-time link; else null.') @Nullable() @IsAnyText(16) via: string | null;
  @About('Address of the request.') @Nullable() @IsAnyText(64) ip: string | null;
  @About('Request by which it was done; null: none.') @Nullable() @IsAnyText(64) request_id: string | null;
}

export class CountsResource {
  @About('What was counted.') @IsAnyText(64) of: string;
  @About('By which field.') @IsAnyText(64) by: string;
  @About('Documents by value; a value without any may be missing.') @AnyObject() counts: Record<string, number>;
}

export const foundKinds = ['invoice', 'receipt', 'customer', 'product'] as const;
export type FoundKind = (typeof foundKinds)[number];

export class FoundRow {
  @About('Kind of resource.') @OneOf(foundKinds) kind: FoundKind;
  @About('Identifier.') @IsAnyText(64) id: string;
  @About('Number or name, of a draft that of its customer; the identifier where neither is shown.') @IsAnyText(255) title: string;
}

export class FoundResource {
  @About('At most ten of each kind.') @NestedList(() => FoundRow, { max: 40 }) data: FoundRow[];
  @About('Kinds of which more match than can be searched, so that some are missing: ask by more of a number or name. Absent: none.')
  @Optional()
  @SomeOf(foundKinds, { max: foundKinds.length })
  too_many?: FoundKind[];
}

export class TodayStep {
  @About('What to do next.') @IsAnyText(64) action: string;
  @About('Page where it is done.') @IsAnyText(255) route: string;
}

export class Named {
  @About('Identifier.') @IsAnyText(64) id: string;
}

export class TodayRow {
  @About('What it is about, in words.') @IsAnyText(255) title: string;
  @About('Since when, UTC.') @IsTimestamp() since: string;
  @About('What to do next.') @Nested(() => TodayStep) next: TodayStep;
  @About('The document.') @Optional() @Nested(() => Named) document?: Named;
  @About('The webhook endpoint.') @Optional() @Nested(() => Named) endpoint?: Named;
  @About('The API key.') @Optional() @Nested(() => Named) key?: Named;
  @About('The certificate.') @Optional() @Nested(() => Named) certificate?: Named;
}

export class TodaySection {
  @About('What is to be done.')
  @OneOf(['refused', 'in_doubt', 'needs_review', 'late', 'overdue', 'endpoints', 'ending', 'numbers_closed'])
  kind: string;
  @About('How many there are; null: that cannot be read now, ask again.') @Nullable() @count() count: number | null;
  @About('Since when the oldest that is shown waits, UTC.') @Nullable() @IsTimestamp() oldest: string | null;
  @About('The first five.') @NestedList(() => TodayRow, { max: 5 }) rows: TodayRow[];
}

export class TodayResource {
  @About('What is to be done, by kind; a kind without any is missing.') @NestedList(() => TodaySection, { max: 8 }) data: TodaySection[];
}

export class TimelineEntry {
  @About('When it happened, UTC.') @IsTimestamp() at: string;
  @About('Where it comes from.') @OneOf(['history', 'attempt', 'delivery', 'payment', 'audit']) kind: string;
  @About('What happened, in words.') @IsAnyText(255) title: string;
  @About('Who did it; null: nobody.') @Nullable() @Nested(() => ConsoleActor) actor: ConsoleActor | null;
  @About('The entry of history, the attempt, payment or delivery itself; a delivery with `endpoint: {url, description, deleted_at}`.')
  @AnyObject()
  detail: object;
  @About('Request by which it was done; null: none.') @Nullable() @IsAnyText(64) request_id: string | null;
}

export class HourOfEndpoint {
  @About('Begin of the hour, UTC.') @IsTimestamp() at: string;
  @About('Attempts that succeeded.') @count() succeeded: number;
  @About('Attempts that failed.') @count() failed: number;
  @About('Median duration in milliseconds; null without attempts.') @Nullable() @count() p50: number | null;
  @About('95th percentile in milliseconds; null without attempts.') @Nullable() @count() p95: number | null;
}

export class EndpointStats {
  @About('All attempts for events from this time on are counted, UTC; those for older ones may be missing.')
  @IsTimestamp()
  counted_from: string;
  @About('An hour each, the oldest first.') @NestedList(() => HourOfEndpoint, { max: 168 }) data: HourOfEndpoint[];
}

export class LiveSetup {
  @About('Of live.') @Nested(() => Setup) live: Setup;
}

export class RequestGroup {
  @About('Code of the error.') @IsAnyText(64) code: string;
  @About('Route, such as `POST /v1/invoices`.') @IsAnyText(255) route: string;
  @About('Field that was named; null: none.') @Nullable() @IsAnyText(255) field: string | null;
  @About('How many requests.') @count() count: number;
  @About('When the last one came, UTC.') @IsTimestamp() last_at: string;
}
