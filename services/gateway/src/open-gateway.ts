import type { AnswerAgain } from '@svc/contracts/http/answer-again';
import type { StoredBytes } from '@svc/contracts/account/stored-bytes';
import { createRetention, type Collection, type DocumentStore, type RunningRetention } from '@svc/document-store';
import type { EndpointHours } from '@svc/contracts/webhook/endpoint-hours';
import type { EventBus } from '@svc/event-bus';
import { findRestored } from '@svc/document-store/restored';
import type { Clock, Ids } from '@svc/kernel';
import type { Health, KeyRing, Logger } from '@svc/service';
import type { SessionsContext } from './sessions/context.ts';
import type { AuditEntry } from './audit/entry.ts';
import { auditRows } from './audit/store.ts';
import { loadPeppers } from './keys/peppers.ts';
import { createChanges } from './principals/look-ups.ts';
import { createSuspensions, type Suspensions } from './principals/suspensions.ts';
import { createKeyRecognizer, type KeyRecognizer } from './principals/api-key/resolve-key.ts';
import { accountStore } from './keys/store.ts';
import { createInsiders } from './edge/entrances.ts';
import type { Insiders } from './principals/inside/ask-inside.ts';
import { createSessionRecognizer, type SessionRecognizer } from './principals/session/recognize-session.ts';
import { type Cookies, createCookies } from './sessions/cookies.ts';
import { createHashing } from './sessions/hashing.ts';
import { sessionTerms, type SessionTerms } from './sessions/session.ts';
import type { AccountNames } from './actors/with-names.ts';
import { namesOfMembers } from './members/names.ts';
import { sessionStore } from './sessions/store.ts';
import { createSignInTries } from './sessions/tries.ts';
import { createRequestCounts, requestCountRows, type RequestCounts, type RequestCount } from './usage/request-counts.ts';
import { type ExportRows, exportRows } from './exports/export.ts';
import { type ExportLinks, exportLinks } from './exports/open-exports.ts';
import { createWaker, type Waker } from './member-jobs/waker.ts';
import { createForms, type Forms } from './forms/forms.ts';
import { type Mail, mailRows } from './mails/mail.ts';
import type { Smtp } from './mails/smtp.ts';
import { forgetAnswers } from './idempotency/erasing.ts';
import { expiredKeys } from './idempotency/expiry.ts';
import { type IdempotencyRow, idempotencyRows } from './idempotency/row.ts';
import { openProcesses, type Processes } from './idempotency/processes.ts';
import { createIdempotencyStore, type IdempotencyStore } from './idempotency/store.ts';
import { createRequestRecorder, type RequestRecorder } from './requests/record-requests.ts';
import { type RefusedRequest, refusedRequests } from './requests/row.ts';
import type { Limiter } from './limiter/port.ts';
import { type AuditBytesRows, auditBytesRows } from './storage/audit-bytes.ts';
import { keptBytesRows } from './storage/kept-bytes.ts';
import { type Submissions, submissionsRows } from './submissions/submissions.ts';
import { createStorageUsage, type StorageUsage } from './storage/usage.ts';

/** Ten years. */
const KEEP_DAYS = 3_650;

/** Documents whose changes are settings. */
type Setting = 'accounts' | 'keys' | 'members' | 'sessions';

export interface GatewayAdapters {
  /** The database `svc_gateway`. */
  documents: DocumentStore;
  limiter: Limiter;
  /** What accounts have stored at invoicing. */
  /** Of each service that counts. */
  storedBytes: readonly StoredBytes[];
  /** Counts the attempts of an endpoint at webhooks-dispatcher. */
  endpointHours: EndpointHours;
  /** Of services in this process; absent: responses are kept whole. */
  answerAgain?: AnswerAgain | undefined;
  /** Encrypts peppers and kept answers that show secrets. */
  secrets: KeyRing;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  health: Health;
  /** Names this process in leases, and no other one that runs. One that starts under the name of an earlier one takes over its claims at once. */
  holder?: string;
  /** Origin of links in lists and of the dashboard, without a trailing slash. */
  publicUrl: string;
  /** Where changes of settings are published. */
  bus: Pick<EventBus, 'publish'>;
  sessionTerms?: SessionTerms;
  /** Where mails to owners are sent; absent: none are. */
  smtp?: Smtp | undefined;
  /** How long the audit is kept. */
  auditKeepDays?: number;
}

/** Dependencies of the gateway's module, and most options of `useEdge`. */
export interface Gateway extends Pick<GatewayAdapters, 'documents' | 'limiter' | 'clock' | 'ids' | 'logger' | 'endpointHours'> {
  accounts: SessionsContext;
  sessions: SessionRecognizer;
  cookies: Cookies;
  sessionTerms: SessionTerms;
  insiders: Insiders;
  consoleOrigin: string;
  bus: Pick<EventBus, 'publish'>;
  audit: Collection<AuditEntry>;
  auditBytes: AuditBytesRows;
  auditKeepDays: number;
  counts: RequestCounts;
  /** Requests that were refused or failed. */
  refused: Collection<RefusedRequest>;
  namesOf: AccountNames;
  recorder: RequestRecorder;
  forms: Forms;
  exports: ExportRows;
  exportLinks: ExportLinks;
  /** Invoices that are being submitted for members. */
  submissions: Collection<Submissions>;
  wakers: { exports: Waker; submissions: Waker; settings: Record<Setting, Waker> };
  /** As of the adapters. */
  holder: string | undefined;
  mails: Collection<Mail>;
  smtp: Smtp | undefined;
  countRows: Collection<RequestCount>;
  keys: KeyRecognizer;
  suspensions: Suspensions;
  storage: StorageUsage;
  idempotency: IdempotencyStore;
  idempotencyRows: Collection<IdempotencyRow>;
  processes: Processes;
  retention: RunningRetention;
}

export async function openGateway(adapters: GatewayAdapters): Promise<Gateway> {
  const { documents, limiter, storedBytes, secrets, clock, ids, logger, health, holder, publicUrl, bus } = adapters;
  const { sessionTerms: terms = sessionTerms, auditKeepDays = KEEP_DAYS } = adapters;
  const store = accountStore(documents);
  const rows = idempotencyRows(documents);
  await findRestored(documents, clock, () => forgetAnswers(rows));
  const processes = await openProcesses({ documents, clock, ids, logger, ...(holder !== undefined && { holder }) });
  const peppers = await loadPeppers(store.peppers, secrets);
  health.register('gateway', async () => (await store.peppers.get('1')) !== undefined || 'its database is empty');
  const changes = createChanges();
  const keys = createKeyRecognizer({ store, peppers }, { clock, logger, changes });
  const suspensions = createSuspensions(store.accounts, { clock, logger, changes });
  const people = sessionStore(documents);
  const sessions = createSessionRecognizer({ store, people, terms, clock, logger, changes });
  const countRows = requestCountRows(documents);
  const refused = refusedRequests(documents);
  const settings = { accounts: createWaker(), keys: createWaker(), members: createWaker(), sessions: createWaker() };
  const forget = (...ids: string[]): void => {
    changes.note(ids);
    for (const waker of Object.values(settings)) waker.wake();
  };
  const exports = exportRows(documents);
  const auditBytes = auditBytesRows(documents);
  const storage = createStorageUsage({ rows: keptBytesRows(documents), auditBytes, storedBytes, clock, logger });
  return {
    ...{ documents, limiter, clock, ids, logger, keys, suspensions, storage, endpointHours: adapters.endpointHours },
    accounts: {
      ...{ store, peppers, clock, ids, forget, people, secrets, terms, publicUrl, logger },
      hashing: createHashing(),
      tries: createSignInTries({ rows: people.tries, limiter, clock }),
    },
    ...{ sessions, sessionTerms: terms, consoleOrigin: publicUrl, bus, auditKeepDays, countRows },
    cookies: createCookies(publicUrl),
    insiders: createInsiders(clock),
    refused,
    namesOf: (account, ids) => namesOfMembers({ people }, account, ids),
    recorder: createRequestRecorder({ rows: refused, clock, logger }),
    mails: mailRows(documents),
    smtp: adapters.smtp,
    ...{ exports, holder, submissions: submissionsRows(documents) },
    wakers: { exports: createWaker(), submissions: createWaker(), settings },
    exportLinks: exportLinks({ rows: exports, people, store, secrets, publicUrl, clock, ids }),
    forms: createForms({ documents, auditBytes, secrets, clock }),
    ...{ audit: auditRows(documents), auditBytes },
    counts: createRequestCounts({ rows: countRows, clock, logger }),
    idempotency: createIdempotencyStore({ rows, clock, secrets, processes, answerAgain: adapters.answerAgain, kept: storage.kept }),
    idempotencyRows: rows,
    processes,
    retention: createRetention({ documents, clock, logger, of: [expiredKeys(rows)] }),
  };
}
