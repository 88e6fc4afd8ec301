import { Module, type DynamicModule } from '@nestjs/common';
import { createRetention, moveJobsBack, type Collection, type DocumentStore } from '@svc/document-store';
import type { EventBus } from '@svc/event-bus';
import { findRestored } from '@svc/document-store/restored';
import { createIds, iso, type Clock } from '@svc/kernel';
import {
  type Audited,
  backgroundProvider,
  clockSetBack,
  createBackground,
  createStoredBytes,
  Gauge,
  jobsWork,
  openOperatorActions,
  publishesChanges,
  type BackgroundWork,
  type Health,
  type Logger,
} from '@svc/service';
import { afterRestore } from './after-restore.ts';
import { DELIVERY_WORKER, NOTE_ACTION, WEBHOOKS } from './context.ts';
import type { WebhooksContext } from './delivery/context.ts';
import { deliveriesIn } from './delivery/hours.ts';
import { FanOut } from './delivery/fan-out.ts';
import { DeliveriesController } from './delivery/http.ts';
import { type Pace, paceIndexes, WEBHOOK_PACES } from './delivery/pacing.ts';
import { removedAfter } from './delivery/stored-bytes.ts';
import { createDeliveryWorker, type DeliveryWorker } from './delivery/worker.ts';
import { endpointIndexes, type Endpoint, WEBHOOK_ENDPOINTS } from './endpoint/endpoint.ts';
import { countFailing } from './endpoint/failing-endpoints.ts';
import { EndpointsController } from './endpoint/http.ts';
import { storedBodies, type EventBodies } from './event/bodies.ts';
import { eventIndexes, type EventRow } from './event/event.ts';
import { createEventWaiters } from './event/event-waiters.ts';
import { HANDLED, type Handled } from './event/handled.ts';
import { type Recovery, recoveryIndexes, WEBHOOK_RECOVERIES } from './endpoint/recovery.ts';
import { RecoveriesController } from './recovery/http.ts';
import { KEPT_DAYS } from './kept-days.ts';
import { retentionsOf } from './retention.ts';
import { startRecoveries } from './recovery/start.ts';
import { EventsController } from './event/http.ts';
import { dnsLookup, sharedResolve, type Lookup } from './sending/resolve.ts';
import { createSend, type Send } from './sending/send.ts';

export interface WebhooksAdapters {
  /** This service's own database. */
  documents: DocumentStore;
  /** What is stored of events that no endpoint receives; `storedBodies` where nothing else is given. */
  bodies?: EventBodies;
  bus: WebhooksContext['bus'] & Pick<EventBus, 'publish'>;
  clock: Clock;
  logger: Logger;
  /** Names this process: by the pod's name and its start, or alike at each start where no other process can run beside it. */
  holder?: string;
  health: Health;
  ring: WebhooksContext['ring'];
  publicUrl: string;
  /** Origins that may be called although they are not public https. */
  allowed: string[];
  /** Milliseconds before retries 1 to 5. */
  delays: readonly number[];
  /** How many days events and ended deliveries are kept (30). */
  keepDays?: number;
  /** How often to poll for deliveries of other replicas, in milliseconds (1,000). A process with a database of its own can poll rarely. */
  lookEvery?: number;
  /** Outgoing HTTP and name resolution, where tests replace the machine's. */
  send?: Send;
  resolve?: Lookup;
}

let running: DeliveryWorker | undefined;
new Gauge({
  name: 'svc_webhook_due_lag_seconds',
  help: 'How long the oldest due delivery to an endpoint that does not fail has been waiting',
  collect() {
    this.set(running?.lag() ?? 0);
  },
});

@Module({})
export class WebhooksModule {
  static async forRoot(adapters: WebhooksAdapters): Promise<DynamicModule> {
    const { documents, bodies = storedBodies, bus, clock, logger, health, ring, publicUrl, delays, keepDays = KEPT_DAYS } = adapters;
    const holder = adapters.holder ?? createIds(clock).next();
    const resolve = sharedResolve(adapters.resolve ?? dnsLookup(), clock);
    const allowed = new Set(adapters.allowed);
    const endpoints = documents.collection<Endpoint>(WEBHOOK_ENDPOINTS, { indexes: endpointIndexes, mostlyRead: true });
    const events = documents.collection<EventRow>('events', { indexes: eventIndexes, texts: ['body'] });
    const stored = createStoredBytes({ documents, clock, logger, removedAt: removedAfter(keepDays) });
    const waiters = createEventWaiters({ events, clock, logger, stopping: health.stopping });
    const context: WebhooksContext = {
      endpoints,
      events,
      handled: documents.collection<Handled>(HANDLED),
      keepDays,
      waiters,
      deliveries: deliveriesIn(documents),
      recoveries: documents.collection<Recovery>(WEBHOOK_RECOVERIES, { indexes: recoveryIndexes }),
      paces: documents.collection<Pace>(WEBHOOK_PACES, paceIndexes),
      stored,
      bodies,
      bus,
      clock,
      logger,
      ring,
      resolve,
      allowed,
      delays,
      publicUrl,
      lookEvery: adapters.lookEvery ?? 1_000,
      holder,
      unitOfWork: documents.unitOfWork,
    };
    // Before the restore is stored as found: once, and again only after a crash.
    await findRestored(documents, clock, () => afterRestore(context, iso(clock.now())));
    const outgoing = adapters.send ? { send: adapters.send, close: async () => undefined } : createSend({ clock, resolve, allowed });
    const worker = createDeliveryWorker(context, outgoing.send);
    const deliveries: BackgroundWork = {
      name: 'due',
      start() {
        running = worker;
        countFailing(context);
        worker.start();
        return worker;
      },
      setBack: worker.setBack,
    };
    const recovering: BackgroundWork = {
      name: 'recoveries',
      start() {
        const recoveries = startRecoveries(context, worker);
        worker.recovers(recoveries);
        return { stop: recoveries.stop, lagSeconds: recoveries.lag };
      },
      async setBack(by) {
        await moveJobsBack(context.recoveries, by, ({ pausedUntil }, earlier) => ({ pausedUntil: earlier(pausedUntil) }));
        worker.recover();
      },
    };
    const retention = createRetention({ documents, clock, logger, of: retentionsOf(context) });
    const removing = jobsWork('retention', retention.passes, clock, retention.start);
    const settings = publishesChanges({
      ...{ name: 'settings', source: 'webhooks-dispatcher', bus, clock, logger },
      collection: endpoints as unknown as Collection<Endpoint & Audited>,
      accountOf: ({ account, env }) => ({ account, env }),
    });
    const ids = createIds(clock);
    const actions = openOperatorActions({ documents, source: 'webhooks-dispatcher', bus, clock, ids, logger });
    const work = [deliveries, recovering, removing, settings, actions.work, stored.work];
    const background = createBackground({
      ...{ service: 'webhooks-dispatcher', health, close: outgoing.close },
      work: [...work, clockSetBack({ documents, work, clock, logger })],
    });
    health.register('webhooks-dispatcher', background.ready);
    return {
      module: WebhooksModule,
      controllers: [EndpointsController, EventsController, DeliveriesController, RecoveriesController, FanOut],
      providers: [
        { provide: WEBHOOKS, useValue: context },
        { provide: DELIVERY_WORKER, useValue: worker },
        { provide: NOTE_ACTION, useValue: actions.note },
        backgroundProvider(background),
      ],
    };
  }
}
