import type { Documents, Lease } from '@svc/document-store';
import type { EventBus } from '@svc/event-bus';
import { startRelay } from '@svc/event-bus/publishing/start-publishing';
import { measureLag, type Checkpoint, type EventStore, type Subscription } from '@svc/event-store';
import { StateCache, type Clock, type Ids } from '@svc/kernel';
import { dueProgress, type Health, type Logger } from '@svc/service';
import { authoritiesOf } from './authorities/authorities.ts';
import type { Http } from './authorities/http.ts';
import { outgoingHttp } from './authorities/outgoing.ts';
import type { Pace } from './pace.ts';
import type { Context } from './submission/context.ts';
import type { State } from './submission/domain/state.ts';
import { countDueBy } from './submission/metrics.ts';
import { submissionPublisher } from './submission/publish.ts';
import { rowIndexes, type Row } from './submission/row.ts';
import { createSubmissions } from './submission/submissions.ts';
import type { WireEntry } from './submission/wire-log.ts';
import { createWorker, type Worker } from './submission/worker.ts';

export interface FiscalSubmissionAdapters {
  eventStore: EventStore;
  /** This service's own database. */
  documents: Documents;
  bus: Pick<EventBus, 'publish' | 'letters'>;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  health: Pick<Health, 'register' | 'registerProgress'>;
  /** Names this process in leases. A process that restarts under the same name has its leases at once; a new name waits 15 s for them. */
  holder?: string;
  /** Origin of the authority simulator. */
  simulatorUrl: string;
  pace: Pace;
  /** Public origin, base of links. */
  publicUrl: string;
  /** Outgoing HTTP, where tests replace the machine's. */
  http?: Http;
}

export interface FiscalSubmission {
  context: Context;
  worker: Worker;
  start(): void;
  /** Waits for the calls under way and publishes their outcomes. */
  stop(): Promise<void>;
}

const TIME_SCALE: Record<Pace, number> = { live: 1, fast: 100 };

/** The service without HTTP: the context of its controllers and its background work. */
export function assemble(adapters: FiscalSubmissionAdapters): FiscalSubmission {
  const { eventStore, documents, bus, clock, ids, logger, health, holder = ids.next() } = adapters;
  const outgoing = adapters.http ? { http: adapters.http, close: async () => undefined } : outgoingHttp(clock);
  const rows = documents.collection<Row>('submissions', { indexes: rowIndexes });
  const states = new StateCache<State>();
  const context: Context = {
    streams: eventStore,
    submissions: createSubmissions(eventStore, ids, states),
    states,
    rows,
    wireLog: documents.collection<WireEntry>('wire_log'),
    authorities: authoritiesOf(adapters),
    http: outgoing.http,
    clock,
    ids,
    logger,
    timeScale: TIME_SCALE[adapters.pace],
    publicUrl: adapters.publicUrl,
  };
  const worker = createWorker(context);
  const checkpoints = documents.collection<Checkpoint>('checkpoints');
  const leases = documents.collection<Lease>('leases');
  let publishing: Subscription | undefined;
  let unmeasure: (() => void) | undefined;
  health.register('fiscal-submission', () => publishing !== undefined || 'has not started');

  return {
    context,
    worker,
    start() {
      countDueBy(() => rows.count({ due_at: { $lte: clock.now() } }));
      const subscription = startRelay({
        source: 'fiscal-submission',
        subscribing: { service: 'fiscal-submission', store: eventStore, checkpoints, leases, holder, clock, logger },
        bus,
        publishers: [submissionPublisher],
      });
      publishing = subscription;
      unmeasure = measureLag('fiscal-submission.publishing', () => subscription.lagSeconds());
      const progress = { waiting: () => subscription.isBehind(), reached: () => subscription.position() };
      health.registerProgress('fiscal-submission.publishing', progress);
      health.registerProgress('fiscal-submission.due', dueProgress(rows, clock));
      worker.start();
    },
    async stop() {
      await worker.stop();
      unmeasure?.();
      await publishing?.stop();
      await outgoing.close();
    },
  };
}
