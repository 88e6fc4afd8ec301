import { RotateKey } from '../account/requests.ts';
import { ListOf } from '../http/list.ts';
import { EmptyBody, NoQuery } from '../http/none.ts';
import { PageQuery } from '../http/page.ts';
import { BODY_LIMIT, type Method, type Route } from '../http/route.ts';
import type { Permission } from '../permissions.ts';
import type { Class } from '../schema/class.ts';
import { CreateExport, CreateSubmissions, ExportResource, SubmissionsResource } from './jobs.ts';
import { AuditQuery, CountsQuery, GroupedRequestsQuery, JobsQuery, SearchQuery, StatsQuery } from './queries.ts';
import {
  ChangeApiKey,
  ChooseAccount,
  ConfirmTotp,
  CreateApiKey,
  InviteMember,
  SetTill,
  SignIn,
  StepUp,
  UpdateAccount,
  UpdateMe,
  UpdateMember,
} from './requests.ts';
import {
  AuditEntryResource,
  ConsoleAccount,
  ConsoleKey,
  CountsResource,
  Done,
  EndpointStats,
  FoundResource,
  InvitedMember,
  IssuerBasics,
  Me,
  MemberResource,
  OpenSession,
  RecoveryCodes,
  RemovedMember,
  RequestGroup,
  RequestWithActor,
  RequestsWithActors,
  ResetLink,
  SessionResource,
  LiveSetup,
  SteppedUp,
  TillResource,
  TimelineEntry,
  TodayResource,
  TotpSecret,
  UnfinishedForm,
  UsageResource,
} from './resources.ts';

/** What an incomplete session lacks. */
export type Incomplete = 'password' | 'code' | 'totp';

/** `anyone`: without a session. `member`: any. `administrators`: owner and admin. Else the permission. */
export type ConsoleAccess = 'anyone' | 'member' | 'administrators' | Permission;

/** A route of the dashboard, besides those of `/console/v1`. */
export interface ConsoleRow {
  may: ConsoleAccess;
  /** 200 by default. */
  ok?: 200 | 201;
  /** True: it is of one environment, which X-Livemode names. */
  livemode?: true;
  /** Also open to sessions that lack these. Without it only complete ones may. */
  incomplete?: readonly Incomplete[];
  /** True: also open to members of a suspended account. */
  suspended?: true;
  /** True: password or code must have been given lately. Where that depends on what is asked, the handler judges. */
  stepUp?: true;
  /** When the handler asks for it. */
  stepUpWhen?: string;
  /** So many of a member's requests does it cost, because it reads so many; 1 by default. */
  weighs?: number;
  /** True: its body proves who sends it. It takes no Idempotency-Key, under which a fingerprint of the password would be kept. */
  proves?: true;
  /** True: it takes If-Match. */
  ifMatch?: true;
  /** True: its body is any JSON object, which is kept as it is. */
  opaque?: true;
  /** True: whoever is withheld personal data is refused. */
  personal?: true;
  /** What it adds to what the account stores. */
  stores?: 'creation';
  /** Name of the operation in the published document, where the path makes a poor one. */
  operation?: string;
  body?: Class;
  query?: Class;
  response: Class;
  /** One sentence for the published document. */
  summary: string;
}

const anywhere = { incomplete: ['password', 'code', 'totp'], suspended: true } as const;

const table = {
  'POST /console/session': {
    may: 'anyone',
    operation: 'signIn',
    body: SignIn,
    response: SessionResource,
    summary: 'Sign in, by password or by a one-time link.',
  },
  'GET /console/session': {
    may: 'member',
    suspended: true,
    response: SessionResource,
    summary: 'List the accounts of the session’s user.',
  },
  'DELETE /console/session': { may: 'member', ...anywhere, operation: 'signOut', response: Done, summary: 'Sign out.' },
  'PUT /console/session/account': {
    ...{ may: 'member', suspended: true },
    body: ChooseAccount,
    response: SessionResource,
    summary: 'Change the account that this session acts in.',
  },
  'PUT /console/session/till': { may: 'member', body: SetTill, response: TillResource, summary: 'Say at which till this session is.' },
  'POST /console/session/step-up': {
    ...{ may: 'member', incomplete: ['code', 'totp'], suspended: true, proves: true },
    operation: 'stepUp',
    body: StepUp,
    response: SteppedUp,
    summary: 'Give the password or the code again, or the code that the sign-in lacks.',
  },
  'GET /console/sessions': {
    may: 'member',
    suspended: true,
    query: PageQuery,
    response: ListOf(OpenSession),
    summary: 'List one’s own sessions.',
  },
  'DELETE /console/sessions/{id}': { may: 'member', suspended: true, response: Done, summary: 'End one of one’s own sessions.' },
  'GET /console/me': { may: 'member', incomplete: ['password', 'totp'], suspended: true, response: Me, summary: 'Read who is signed in.' },
  'PATCH /console/me': {
    ...{ may: 'member', incomplete: ['password', 'totp'], suspended: true },
    stepUpWhen: 'where `email` changes',
    body: UpdateMe,
    response: Me,
    summary: 'Change name, e-mail, language or password.',
  },
  'POST /console/me/totp': {
    ...{ may: 'member', incomplete: ['totp'], stepUp: true },
    operation: 'beginTotp',
    body: EmptyBody,
    response: TotpSecret,
    summary: 'Begin to turn on two factors.',
  },
  'POST /console/me/totp/confirm': {
    ...{ may: 'member', incomplete: ['totp'], proves: true },
    operation: 'confirmTotp',
    body: ConfirmTotp,
    response: RecoveryCodes,
    summary: 'Turn on two factors, by a code of the authenticator.',
  },
  'DELETE /console/me/totp': { may: 'member', stepUp: true, operation: 'endTotp', response: Done, summary: 'Turn off two factors.' },
  'GET /console/account': { may: 'member', suspended: true, response: ConsoleAccount, summary: 'Read the account.' },
  'PATCH /console/account': {
    may: 'administrators',
    stepUpWhen: 'where `require_totp` is sent',
    body: UpdateAccount,
    response: ConsoleAccount,
    summary: 'Change the account.',
  },
  'GET /console/usage': { may: 'member', livemode: true, response: UsageResource, summary: 'Read what of each limit is used.' },
  'GET /console/members': { may: 'administrators', query: PageQuery, response: ListOf(MemberResource), summary: 'List the members.' },
  'POST /console/members': {
    may: 'administrators',
    ok: 201,
    stepUp: true,
    body: InviteMember,
    response: InvitedMember,
    summary: 'Invite a member.',
  },
  'PATCH /console/members/{id}': {
    may: 'administrators',
    ...{ stepUp: true, ifMatch: true },
    body: UpdateMember,
    response: MemberResource,
    summary: 'Change a member.',
  },
  'DELETE /console/members/{id}': {
    may: 'administrators',
    stepUp: true,
    ifMatch: true,
    response: RemovedMember,
    summary: 'Remove a member.',
  },
  'POST /console/members/{id}/reset': {
    ...{ may: 'administrators', stepUp: true },
    body: EmptyBody,
    response: ResetLink,
    summary: 'Make a link by which a member sets a new password.',
  },
  'GET /console/api-keys': {
    may: 'api_keys:read',
    query: PageQuery,
    response: ListOf(ConsoleKey),
    summary: 'List the API keys of both environments.',
  },
  'POST /console/api-keys': {
    may: 'api_keys:write',
    ok: 201,
    stepUpWhen: 'for a live key',
    body: CreateApiKey,
    response: ConsoleKey,
    summary: 'Create an API key; its value is in this answer alone.',
  },
  'GET /console/api-keys/{id}': { may: 'api_keys:read', response: ConsoleKey, summary: 'Read an API key.' },
  'PATCH /console/api-keys/{id}': {
    may: 'api_keys:write',
    ...{ stepUpWhen: 'for a live key', ifMatch: true },
    body: ChangeApiKey,
    response: ConsoleKey,
    summary: 'Change an API key.',
  },
  'DELETE /console/api-keys/{id}': {
    ...{ may: 'api_keys:write', stepUpWhen: 'for a live key', ifMatch: true },
    response: ConsoleKey,
    summary: 'Revoke an API key.',
  },
  'POST /console/api-keys/{id}/rotate': {
    ...{ may: 'api_keys:write', stepUpWhen: 'for a live key' },
    body: RotateKey,
    response: ConsoleKey,
    summary: 'Give an API key a new value; it is in this answer alone.',
  },
  'GET /console/audit': {
    may: 'administrators',
    query: AuditQuery,
    response: ListOf(AuditEntryResource),
    summary: 'List who changed what, the newest first.',
  },
  'GET /console/setup': { may: 'member', response: LiveSetup, summary: 'Read what live documents need that is not there.' },
  'GET /console/issuer': {
    ...{ may: 'member', livemode: true },
    response: IssuerBasics,
    summary: 'Read what of the issuer every member works by: its day, its currency, its tax, its tills, and its choice of authorities.',
  },
  'GET /console/today': { weighs: 5, may: 'member', livemode: true, response: TodayResource, summary: 'Read what is to be done.' },
  'GET /console/counts': {
    weighs: 5,
    ...{ may: 'invoices:read', livemode: true },
    query: CountsQuery,
    response: CountsResource,
    summary: 'Count documents by the values of a field.',
  },
  'GET /console/search': {
    ...{ weighs: 3, may: 'member', livemode: true },
    query: SearchQuery,
    response: FoundResource,
    summary: 'Find documents, customers and products.',
  },
  'GET /console/documents/{id}/timeline': {
    weighs: 10,
    ...{ may: 'member', livemode: true },
    query: PageQuery,
    response: ListOf(TimelineEntry),
    summary: 'List what happened to a document, the newest first.',
  },
  'GET /console/webhooks/{id}/stats': {
    weighs: 10,
    ...{ may: 'webhooks:read', livemode: true },
    query: StatsQuery,
    response: EndpointStats,
    summary: 'Read how the attempts of a webhook endpoint went, hour by hour.',
  },
  'GET /console/requests': {
    weighs: 3,
    ...{ may: 'settings:read', livemode: true },
    query: GroupedRequestsQuery,
    operation: 'listConsoleRequests',
    response: RequestsWithActors,
    summary: 'List requests that were refused or failed.',
  },
  'GET /console/requests/groups': {
    weighs: 10,
    ...{ may: 'settings:read', livemode: true },
    query: PageQuery,
    response: ListOf(RequestGroup),
    summary: 'Count refused requests by code, route and field: the thousand groups that came last.',
  },
  'GET /console/requests/{id}': {
    weighs: 10,
    may: 'settings:read',
    livemode: true,
    response: RequestWithActor,
    summary: 'Read one request.',
  },
  'GET /console/forms/{name}': {
    ...{ may: 'member', livemode: true },
    response: UnfinishedForm,
    summary: 'Read a form that is not finished.',
  },
  'PUT /console/forms/{name}': {
    ...{ may: 'member', livemode: true, opaque: true, stores: 'creation' },
    response: UnfinishedForm,
    summary: 'Keep a form that is not finished, for 30 days.',
  },
  'DELETE /console/forms/{name}': {
    ...{ may: 'member', livemode: true },
    response: Done,
    summary: 'Remove a form that is not finished.',
  },
  'GET /console/exports': {
    ...{ weighs: 5, may: 'receipts:read', livemode: true, personal: true },
    query: JobsQuery,
    response: ListOf(ExportResource),
    summary: 'List exports, the newest first; one’s own where one may not read invoices.',
  },
  'POST /console/exports': {
    ...{ may: 'receipts:read', ok: 201, livemode: true, personal: true, stores: 'creation', stepUpWhen: 'in live' },
    body: CreateExport,
    response: ExportResource,
    summary: 'Begin to make a ZIP of documents, with the permission to read what is in it.',
  },
  'GET /console/exports/{id}': {
    ...{ may: 'receipts:read', livemode: true, personal: true },
    response: ExportResource,
    summary: 'Read an export; where it is done, with a link to its ZIP.',
  },
  'DELETE /console/exports/{id}': {
    ...{ may: 'receipts:read', livemode: true, personal: true },
    response: ExportResource,
    summary: 'End an export of one’s own, for owners and admins any, before it is done. One that has ended stays as it is.',
  },
  'GET /console/submissions': {
    ...{ weighs: 5, may: 'invoices:submit', livemode: true },
    query: JobsQuery,
    response: ListOf(SubmissionsResource),
    summary: 'List submissions of many invoices, the newest first.',
  },
  'POST /console/submissions': {
    ...{ may: 'invoices:submit', ok: 201, livemode: true, weighs: 20 },
    body: CreateSubmissions,
    response: SubmissionsResource,
    summary: 'Begin to submit up to 1,000 invoices, at the account’s limit.',
  },
  'GET /console/submissions/{id}': {
    ...{ may: 'invoices:submit', livemode: true },
    response: SubmissionsResource,
    summary: 'Read how far a submission of many invoices is.',
  },
  'DELETE /console/submissions/{id}': {
    ...{ may: 'invoices:submit', livemode: true },
    response: SubmissionsResource,
    summary:
      'End a submission of many invoices, of one’s own or for owners and admins any: what was not tried stays. One that has ended stays as it is.',
  },
} as const satisfies Record<`${Method} /console/${string}`, ConsoleRow>;

type Table = typeof table;
export type ConsoleRouteName = keyof Table;
/** The validated body of the route. */
export type ConsoleBodyOf<Name extends ConsoleRouteName> = Table[Name] extends { body: Class<infer Body> } ? Body : undefined;
/** The validated query of the route, with defaults. */
export type ConsoleQueryOf<Name extends ConsoleRouteName> = Table[Name] extends { query: Class<infer Query> } ? Query : NoQuery;
/** What the route answers on success. */
export type ConsoleAnswerOf<Name extends ConsoleRouteName> = Table[Name] extends { response: Class<infer Answer> } ? Answer : never;

/** A row with its method and its path below the origin. */
export type ConsoleRoute = Omit<ConsoleRow, 'ok'> & Pick<Route, 'method' | 'path' | 'ok' | 'bodyLimit' | 'query'>;

const whole = ([name, row]: [string, ConsoleRow]): [string, ConsoleRoute] => {
  const [method, path] = name.split(' ') as [Method, string];
  return [name, { query: NoQuery, bodyLimit: BODY_LIMIT, ...row, ok: row.ok ?? 200, method, path }];
};

export const consoleRoutes = Object.fromEntries(Object.entries<ConsoleRow>(table).map(whole)) as Record<ConsoleRouteName, ConsoleRoute>;
export const consoleRouteNames = Object.keys(consoleRoutes) as ConsoleRouteName[];
