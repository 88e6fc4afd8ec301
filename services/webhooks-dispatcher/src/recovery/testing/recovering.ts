import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecoverWebhook } from '@svc/contracts/webhook/requests';
import type { EndpointRecovery, RecoveryResource } from '@svc/contracts/webhook/resource';
import type { WebhookEventType } from '@svc/contracts/webhook/vocabulary';
import type { JobQueue } from '@svc/document-store';
import type { Engine } from '@svc/embedded';
import { createIds, FakeClock, iso, soon } from '@svc/kernel';
import type { Identity } from '@svc/service';
import type { WebhooksContext } from '../../delivery/context.ts';
import type { Delivery } from '../../delivery/delivery.ts';
import { answer, openProcess, ring } from '../../delivery/testing/process.ts';
import { customerCreated, shopEndpoint } from '../../delivery/testing/rows.ts';
import { CONTRACT_DELAYS } from '../../delivery/schedule.ts';
import { createDeliveryWorker, type DeliveryWorker } from '../../delivery/worker.ts';
import { type StoredEvent, storedEvent } from '../../event/event.ts';
import type { Answered, Outgoing } from '../../sending/send.ts';
import { recover } from '../recover.ts';
import { startRecoveries } from '../start.ts';

const DAY = 86_400_000;

export interface Sent {
  id: string;
  resource: string;
  sequence: number;
  at: number;
}

interface Missed {
  resources?: number;
  type?: WebhookEventType;
  /** Milliseconds between two. */
  apart?: number;
}

/** Processes of the service with the endpoint `we_1` and recoveries, on a fake clock. */
export async function openRecovering() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-recovery-'));
  const clock = new FakeClock();
  const ids = createIds(clock);
  /** Attempts under way by resource. */
  const underWay = new Map<string, number>();
  let engine: Engine;
  let context: WebhooksContext;
  let worker: DeliveryWorker;
  let recoveries: ReturnType<typeof startRecoveries>;
  const others: { worker: DeliveryWorker; recoveries: JobQueue }[] = [];
  let log = 0;
  const count = (resource: string, change: number): number => {
    const now = (underWay.get(resource) ?? 0) + change;
    underWay.set(resource, now);
    return now;
  };

  async function send({ body }: Outgoing): Promise<Answered> {
    const { id, sequence, data } = JSON.parse(String(body)) as { id: string; sequence: number; data: { id: string } };
    const one = { id, sequence, resource: data.id, at: clock.now() };
    on.sent.push(one);
    on.mostOfOne = Math.max(on.mostOfOne, count(data.id, 1));
    const answered = await on.send(one);
    count(data.id, -1);
    return answered;
  }

  const on = {
    clock,
    sent: [] as Sent[],
    /** Attempts of one resource that were under way at once, at most. */
    mostOfOne: 0,
    delays: CONTRACT_DELAYS as readonly number[],
    send: (_sent: Sent): Promise<Answered> | Answered => answer(200),
    get context(): WebhooksContext {
      return context;
    },
    get worker(): DeliveryWorker {
      return worker;
    },
    /** A process on the folder. */
    open(): void {
      ({ engine, context, worker } = openProcess(folder, { clock, delays: on.delays, lookEvery: 1_000, send }));
      recoveries = startRecoveries(context, worker);
      worker.recovers(recoveries);
    },
    /** A replica beside it. */
    openAnother(): void {
      const replica = { ...context, holder: `replica ${others.length}` };
      const own = createDeliveryWorker(replica, send);
      own.start();
      const its = startRecoveries(replica, own);
      own.recovers(its);
      others.push({ worker: own, recoveries: its });
    },
    async close(): Promise<void> {
      const all = [{ worker, recoveries }, ...others.splice(0)];
      const stopped = Promise.all(all.flatMap((one) => [one.worker.stop(), one.recoveries.stop()]));
      await clock.advance(15_000);
      await stopped;
      engine.close();
    },
    /** The process dies. */
    abandon: (): void => engine.abandon(),
    async end(): Promise<void> {
      await on.close();
      rmSync(folder, { recursive: true });
    },
    identity: (commandId = ids.next()): Identity =>
      ({ account: 'acct_1', env: 'test', commandId, requestId: 'req_1', actor: { type: 'api_key', id: 'key_1' } }) as Identity,
    start(body: Partial<RecoverWebhook> = {}, who: Identity = on.identity()): Promise<RecoveryResource> {
      const asked = (body.stop ? body : { since: iso(clock.now() - DAY), ...body }) as RecoverWebhook;
      return recover(context, who, 'we_1', { body: asked, turn: soon }).finally(worker.recover);
    },
    shown: async (): Promise<EndpointRecovery | null> => (await worker.ended('we_1')).recovery,
    rows: (): Promise<Delivery[]> => Array.fromAsync(context.deliveries.find({ endpoint_id: 'we_1' }, { sort: { _id: 1 } })),
    /** Stores events that no endpoint has received, of as many resources. */
    async missed(events: number, { resources = events, type = 'customer.created', apart = 0 }: Missed = {}): Promise<StoredEvent[]> {
      const made: StoredEvent[] = [];
      for (let n = 0; n < events; n += 1) {
        const subject = `cust_${n % resources}`;
        const of = { subject, time: iso(clock.now()), sequence: n + 1, data: { id: subject } };
        const event = { ...customerCreated, id: `evt_${ids.next()}`, ...of };
        made.push({ ...storedEvent({ event, type }), log_position: (log += 1) });
        if (apart > 0) await clock.advance(apart);
      }
      await context.events.write(made.map((insert) => ({ insert })));
      return made;
    },
    async until(isSo: () => Promise<boolean> | boolean, mostMs = 600_000): Promise<void> {
      for (const last = clock.now() + mostMs; !(await isSo()); await clock.advance(100))
        if (clock.now() > last) throw new Error('it does not come');
    },
    isDone: async (): Promise<boolean> => (await on.shown())?.status === 'done',
  };
  on.open();
  await on.context.endpoints.insert({ ...shopEndpoint(), secret: ring.encrypt('whsec_AAAA') });
  return on;
}

export type Recovering = Awaited<ReturnType<typeof openRecovering>>;
