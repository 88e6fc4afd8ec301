import { createRetention, type DocumentStore, type Lease } from '@svc/document-store';
import type { EventBus } from '@svc/event-bus';
import type { Checkpoint, EventStore } from '@svc/event-store';
import { createCapacity, StateCache, type Clock, type Ids } from '@svc/kernel';
import {
  clockSetBack,
  createBackground,
  createStoredBytes,
  jobsWork,
  subscriptionWork,
  openOperatorActions,
  type Background,
  type Health,
  type KeyRing,
  type Logger,
  type NoteAction,
} from '@svc/service';
import { authoritiesOf, type Connections } from './authorities/authorities.ts';
import { measureCertificates } from './authorities/certificate.ts';
import { keysOfSimulated } from './authorities/simulated.ts';
import { createChains } from './chain/chains.ts';
import { CHAIN_ROWS, chainRowIndexes, closedChains, noClosedChains, type ChainRow } from './chain/closed-chains.ts';
import { measureClosedChains } from './chain/metrics.ts';
import type { ChainContext } from './after-restore/operators.ts';
import { type Http, outgoingHttp } from './sending/http.ts';
import { createCertificateReader } from './credentials/certificate-reader.ts';
import type { IssuerOf } from '@svc/contracts/credentials/issuer-header';
import { CHECKS } from './checking/check.ts';
import type { Checking } from './checking/http.ts';
import { CREDENTIALS_COLLECTION, credentialsIndexes, type Credentials } from './credentials/credentials.ts';
import type { CredentialsParts } from './credentials/http.ts';
import { measureCredentials } from './credentials/metrics.ts';
import { credentialsWork } from './credentials/work.ts';
import type { Evidence } from './evidence/evidence.ts';
import { openEvidence } from './evidence/work.ts';
import type { Pace } from './pace.ts';
import { clientsOf } from './signing/clients.ts';
import { installedBy } from './signing/collaborator.ts';
import { type CommonKey, storedKeys } from './signing/keys.ts';
import type { Signer } from './signing/signer.ts';
import { threadSigner } from './signing/thread-signer.ts';
import type { Authorities } from './submission/authority.ts';
import { paceIndexes, type ChainPace } from './submission/chain-pace.ts';
import { measureClockHolds } from './submission/clock-hold-metric.ts';
import { clockHoldRetention } from './submission/clock-hold-retention.ts';
import { type ClockHold, clockHoldIndexes, createClockHolds } from './submission/clock-holds.ts';
import type { Context, StatusOf } from './submission/context.ts';
import type { State } from './submission/domain/state.ts';
import { measureSubmissions } from './submission/metrics.ts';
import { submissionPublisher } from './submission/publish.ts';
import { rowIndexes, type Row } from './submission/row.ts';
import { createSubmissions } from './submission/submissions.ts';
import type { WireEntry } from './submission/wire-log.ts';
import type { TillOpening } from './submission/till-openings.ts';
import { TILLS, tillIndexes, type TillRegistration } from './submission/till-registrations.ts';
import { startTills } from './submission/till-work.ts';
import { WIRE_LOG_KEPT_DAYS, wireLogRemovedAt, wireLogRetention } from './submission/wire-log-retention.ts';
import { type DeadlineNotice, noticeIndexes, watchDeadlines } from './submission/watch-deadlines.ts';
import { createWorker, type Worker } from './submission/worker.ts';
import type { Watch } from './watch.ts';

export interface FiscalSubmissionAdapters {
  eventStore: EventStore;
  /** This service's own database. */
  documents: DocumentStore;
  bus: Pick<EventBus, 'relay' | 'publish'>;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  health: Pick<Health, 'register' | 'registerProgress'>;
  /** Names this process in leases. A process that restarts under the same name has its leases at once; a new name waits 15 s for them. */
  holder?: string;
  /** Origin of the authority simulator. */
  simulatorUrl: string | undefined;
  /** Origins of the national authorities' services for test documents, by authority; those without one are not served. */
  testUrls?: Connections['testUrls'];
  /** Origins for live documents, where they are not the published ones. */
  liveUrls?: Connections['liveUrls'];
  /** What the deployment says of itself to authorities, and whom it trusts there. */
  deployment?: Connections['deployment'];
  /** Sends to es-verifactu for live issuers without a certificate. */
  collaborator?: CommonKey | undefined;
  /** That the system was restored from a backup. */
  restored?: { at: string } | undefined;
  /** Encrypts the certificates of accounts. */
  ring: KeyRing;
  pace: Pace;
  /** Public origin, base of links. */
  publicUrl: string;
  /** Where the documents are in this process; elsewhere the gateway asks for it. */
  statusOf?: StatusOf;
  /** Where the issuers are in this process; elsewhere the gateway says who the issuer is. */
  issuerOf?: IssuerOf;
  /** How many days the bytes of submissions are kept (3,650). */
  wireLogKeepDays?: number;
  /** Adapters, where tests replace those that are served. */
  authorities?: Authorities;
  /** Signs, where tests have no certificates. */
  signer?: Signer;
  /** Outgoing HTTP, where tests replace the machine's. */
  http?: Http;
}

export interface FiscalSubmission {
  context: Context;
  chainContext: ChainContext;
  credentials: CredentialsParts['context'];
  credentialsParts: CredentialsParts;
  checking: Checking;
  evidence: Evidence;
  noteAction: NoteAction;
  worker: Worker;
  background: Background;
}

const SERVICE = 'fiscal-submission';
const TIME_SCALE: Record<Pace, number> = { live: 1, fast: 100 };

/** The service without HTTP: the context of its controllers and its background work. */
export function assemble(adapters: FiscalSubmissionAdapters): FiscalSubmission {
  const { eventStore, documents, bus, clock, ids, logger, health, ring, holder = ids.next() } = adapters;
  const outgoing = adapters.http ? { http: adapters.http, close: async () => undefined } : outgoingHttp(clock);
  const rows = documents.collection<Row>('submissions', { indexes: rowIndexes });
  const states = new StateCache<State>();
  const certificates = createCertificateReader({ clock, logger });
  const authorities = adapters.authorities ?? authoritiesOf(adapters);
  const credentials: CredentialsParts['context'] = {
    credentials: documents.collection<Credentials>(CREDENTIALS_COLLECTION, { indexes: credentialsIndexes }),
    ...{ ring, certificates, clock },
  };
  const ofDeployment = installedBy(adapters.collaborator);
  const keys = storedKeys({ ...credentials, ring, commonKeys: { test: keysOfSimulated(authorities), live: ofDeployment } });
  const signer = adapters.signer ?? threadSigner(keys, logger);
  const chains = createChains({ streams: eventStore, ids, clock });
  const chainRows = documents.collection<ChainRow>(CHAIN_ROWS, { indexes: chainRowIndexes });
  const { restored } = adapters;
  const timeScale = TIME_SCALE[adapters.pace];
  const tills = documents.collection<TillRegistration>(TILLS, { indexes: tillIndexes });
  const wireLogKeepDays = adapters.wireLogKeepDays ?? WIRE_LOG_KEPT_DAYS;
  const stored = createStoredBytes({ documents, clock, logger, removedAt: wireLogRemovedAt(wireLogKeepDays) });
  const holds = documents.collection<ClockHold>('clock_holds', { indexes: clockHoldIndexes });
  const context: Context = {
    streams: eventStore,
    submissions: createSubmissions({ streams: eventStore, ids, cache: states, stored }),
    states,
    rows,
    wireLog: documents.collection<WireEntry>('wire_log', { texts: ['bytes'] }),
    stored,
    paces: documents.collection<ChainPace>('chain_paces', { indexes: paceIndexes }),
    clockHolds: createClockHolds({ holds, waiting: [rows, tills], http: outgoing.http, clock, ids, logger, timeScale }),
    openings: documents.collection<TillOpening>('till_openings'),
    ...{ tills, authorities },
    ...{ chains, closedChains: restored ? closedChains(restored, chainRows) : noClosedChains, restoredAt: restored?.at },
    signer,
    clients: clientsOf(keys),
    http: outgoing.http,
    clock,
    ids,
    logger,
    timeScale,
    publicUrl: adapters.publicUrl,
    statusOf: adapters.statusOf,
  };
  const { evidence, work: publishingRequests } = openEvidence({ context, documents, bus, ring, source: SERVICE });
  const actions = openOperatorActions({ documents, source: SERVICE, bus, clock, ids, logger });
  const { submissions, clients, http } = context;
  const chainContext: ChainContext = {
    ...{ streams: eventStore, submissions, chains, rows: chainRows, jobs: rows, restoredAt: restored?.at },
    ...{ authorities, clients, http, clock, note: actions.note },
  };
  const worker = createWorker(context);
  const checkpoints = documents.collection<Checkpoint>('checkpoints');
  const leases = documents.collection<Lease>('leases');
  const subscribing = { service: SERVICE, store: eventStore, checkpoints, leases, holder, clock, logger };
  const publishing = subscriptionWork('publishing', () => {
    const relay = bus.relay({ source: SERVICE, subscribing, documents, publishers: [submissionPublisher] });
    // The relay outlives the worker: it publishes the outcomes of the last calls.
    return { ...relay, stop: () => worker.stop().then(() => relay.stop()) };
  });
  const due = jobsWork('due', rows, clock, () => {
    measureCertificates({ live: authorities.live.values(), test: authorities.test.values() }, clock);
    measureSubmissions({ rows, breakers: worker.breakers, clock });
    measureClockHolds(context);
    measureCredentials({ ...credentials, installed: ofDeployment });
    measureClosedChains({ rows: chainRows, restoredAt: restored?.at, chained: chainedOf(authorities) });
    worker.start();
    return worker;
  });
  const registering = jobsWork('tills', context.tills, clock, () => startTills({ context, breakers: worker.breakers, bus, holder }));
  const watches = documents.collection<Watch>('submission_watches', { indexes: [{ fields: ['due_at'] }] });
  const served = new Set([...authorities.live.keys(), ...authorities.test.keys()]);
  const notices = documents.collection<DeadlineNotice>('deadline_notices', { indexes: noticeIndexes });
  const watching = { rows, notices, authorities: served, watches, bus, clock, logger };
  const ending = jobsWork('deadlines', watches, clock, () => watchDeadlines(watching));
  const of = [wireLogRetention(context.wireLog, wireLogKeepDays), clockHoldRetention(holds)];
  const retention = createRetention({ documents, clock, logger, of });
  const removing = jobsWork('retention', retention.passes, clock, retention.start);
  const work = [
    ...[due, publishing, removing, registering, ending, publishingRequests, actions.work, stored.work],
    ...credentialsWork({ credentials: credentials.credentials, documents, bus, clock, ids, logger, source: SERVICE }),
  ];
  const background = createBackground({
    service: SERVICE,
    health,
    work: [...work, clockSetBack({ documents, work, clock, logger, timeScale })],
    close: async () => void (await Promise.all([outgoing.close(), certificates.close(), signer.close()])),
  });
  health.register(SERVICE, background.ready);
  const { issuerOf } = adapters;
  const checking: Checking = { context: { ...context, credentials, capacity: createCapacity(CHECKS) }, issuerOf };
  const credentialsParts: CredentialsParts = { context: credentials, issuerOf, installed: ofDeployment };
  const noteAction = actions.note;
  return { context, chainContext, credentials, credentialsParts, checking, evidence, noteAction, worker, background };
}

const chainedOf = ({ live, test }: Authorities) => ({ live: chainedIn(live), test: chainedIn(test) });
const chainedIn = (served: Authorities['live']): string[] => Array.from(served.values()).flatMap(({ id, link }) => (link ? [id] : []));
