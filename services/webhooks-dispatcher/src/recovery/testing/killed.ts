import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SettingChange } from '@svc/contracts/audit/setting-changed';
import { createRetention, embeddedDocumentStore, type Collection } from '@svc/document-store';
import { killedBehind } from '@svc/document-store/testing/killed-behind';
import { Engine } from '@svc/embedded';
import { createIds, FakeClock, iso, settleTurns } from '@svc/kernel';
import { type Audited, type Identity, publishesChanges } from '@svc/service';
import type { WebhooksContext } from '../../delivery/context.ts';
import { type Delivery, newDelivery } from '../../delivery/delivery.ts';
import { answer, ring } from '../../delivery/testing/process.ts';
import { busAt, customerCreated, rowsIn, shopEndpoint, silent } from '../../delivery/testing/rows.ts';
import { createDeliveryWorker, type DeliveryWorker } from '../../delivery/worker.ts';
import type { Endpoint } from '../../endpoint/endpoint.ts';
import { type StoredEvent, storedEvent } from '../../event/event.ts';
import { retentionsOf } from '../../retention.ts';
import type { Answered, Outgoing } from '../../sending/send.ts';
import { startRecoveries } from '../start.ts';

/** On the engine, what a killed process wrote last is lost, and the next one has its name. A server keeps it, and what it had claimed until the claim ends. */
export const stores = ['the embedded engine', 'a server', 'a server, beside a replica'] as const;
export type Store = (typeof stores)[number];

export const SECRET = 'whsec_AAAA';
const never = (): Promise<never> => new Promise(() => undefined);

export interface Process {
  context: WebhooksContext;
  worker: DeliveryWorker;
  isDead(): boolean;
  die(): void;
}

/** The endpoint `we_1` in a store, and processes of the service on it, on a fake clock. */
export async function openKilled(store: Store, delays: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-killed-'));
  const clock = new FakeClock();
  const ids = createIds(clock);
  let engine = Engine.open(folder, { durable: false });
  let isOpen = true;
  let beside: WebhooksContext | undefined;
  let log = 0;
  let started = 0;
  const stops: (() => Promise<unknown>)[] = [];

  const documents = () => {
    if (!isOpen) [engine, isOpen, beside] = [Engine.open(folder, { durable: false }), true, undefined];
    return embeddedDocumentStore(engine, 'svc_webhooks');
  };
  const contextOf = (rows: ReturnType<typeof rowsIn>): WebhooksContext => ({
    ...{ ...rows, bus: busAt(0), clock, logger: silent, ring, resolve: async () => [], allowed: new Set<string>() },
    ...{ delays, publicUrl: '', lookEvery: 10_000 },
  });

  const on = {
    clock,
    sent: [] as Outgoing[],
    answers: (_event: string): Promise<Answered> | Answered => answer(200),
    /** The changes that the audit has, by their ids. */
    audited: new Map<string, SettingChange>(),
    /** What is stored, beside all processes. */
    get context(): WebhooksContext {
      const store = documents();
      return (beside ??= contextOf(rowsIn(store)));
    },
    /** Starts a process that is killed at its write of this number, from 0 on. */
    start(killedAt = Infinity): Process {
      const dying = killedBehind(documents(), killedAt, () => {
        if (store !== 'the embedded engine') return;
        engine.abandon();
        isOpen = false;
      });
      const holder = store === 'the embedded engine' ? 'test' : `replica ${(started += 1)}`;
      const context = { ...contextOf(rowsIn(dying.documents)), holder };
      const worker = createDeliveryWorker(context, async (request) => {
        if (dying.isDead()) return never();
        on.sent.push(request);
        return on.answers(eventIn(request));
      });
      worker.start();
      const recoveries = startRecoveries(context, worker);
      worker.recovers(recoveries);
      const settings = publishesChanges({
        ...{ name: 'settings', source: 'webhooks-dispatcher', clock, logger: silent },
        bus: {
          async publish(_topic, events) {
            if (dying.isDead()) return never();
            for (const { data } of events as { data: SettingChange }[]) on.audited.set(data.id, data);
          },
        },
        collection: context.endpoints as unknown as Collection<Endpoint & Audited>,
        accountOf: ({ account, env }) => ({ account, env }),
      }).start();
      const removing = createRetention({ documents: dying.documents, clock, logger: silent, of: retentionsOf(context) }).start();
      const all = [worker, recoveries, settings, removing];
      stops.push(async () => dying.isDead() || Promise.all(all.map((one) => one.stop())));
      return { context, worker, isDead: dying.isDead, die: dying.die };
    },
    pass: (ms: number): Promise<void> => clock.advance(ms, () => settleTurns(20)),
    /** Ends the processes that live. */
    async stop(): Promise<void> {
      const stopped = Promise.all(stops.splice(0).map((stop) => stop()));
      await on.pass(15_000);
      await stopped;
    },
    async end(): Promise<void> {
      await on.stop();
      if (isOpen) engine.close();
      rmSync(folder, { recursive: true });
    },
    identity: (): Identity =>
      ({ account: 'acct_1', env: 'test', commandId: ids.next(), requestId: 'req_1', actor: { type: 'api_key', id: 'key_1' } }) as Identity,
    endpoint: async (): Promise<Endpoint> => (await on.context.endpoints.get('we_1')) as Endpoint,
    rows: (): Promise<Delivery[]> => Array.fromAsync(on.context.deliveries.find({ endpoint_id: 'we_1' }, { sort: { _id: 1 } })),
    /** Stores events of as many resources, that no endpoint has received. */
    async happen(count: number, resources = count): Promise<StoredEvent[]> {
      const made = Array.from({ length: count }, (_, n) => {
        const id = `cust_${n % resources}`;
        const of = { subject: id, time: iso(clock.now()), sequence: n + 1, data: { id } };
        const event = { ...customerCreated, id: `evt_${ids.next()}`, ...of };
        return { ...storedEvent({ event, type: 'customer.created' }), log_position: (log += 1) };
      });
      await on.context.events.write(made.map((insert) => ({ insert })));
      return made;
    },
    /** Stores such events with deliveries that are due in so many milliseconds. */
    async pending(count: number, dueIn: number): Promise<StoredEvent[]> {
      const events = await on.happen(count);
      const endpoint = await on.endpoint();
      const due = clock.now() + dueIn;
      await on.context.deliveries.write(events.map((event) => ({ insert: newDelivery(event, endpoint, due) })));
      return events;
    },
    /** Files of the store that hold a secret in clear. */
    inClear: (): string[] =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((name) => join(folder, name))
        .filter((path) => statSync(path).isFile() && readFileSync(path).includes('whsec_')),
  };
  await on.context.endpoints.insert({ ...shopEndpoint(), revision: 1, secret: ring.encrypt(SECRET) });
  return on;
}

export type Killed = Awaited<ReturnType<typeof openKilled>>;

/** The id of the event that a webhook carries. */
export const eventIn = ({ body }: Outgoing): string => (JSON.parse(String(body)) as { id: string }).id;

interface Killing<Answer> {
  delays?: readonly number[];
  /** What is stored before. */
  prepare(on: Killed): Promise<void>;
  /** Sent to the process that is killed, and again to the next one, which had no answer. */
  command(process: Process, identity: Identity): Promise<Answer>;
  /** How long the process works behind the command, in milliseconds, where it is not killed before; and the next one. */
  works: number;
  /** What holds then, at whichever write the first one was killed. The next one goes on. */
  holds(on: Killed, answer: Answer, next: Process): Promise<void>;
}

/** Runs it with a process that is killed at its first write, at its second, and so on until one is behind the last. Returns how many writes there were. */
export async function killedAtEachWrite<Answer>(
  store: Store,
  { delays = [60_000, 300_000], prepare, command, works, holds }: Killing<Answer>,
): Promise<number> {
  for (let kills = 0; ; kills += 1) {
    const on = await openKilled(store, delays);
    await prepare(on);
    const identity = on.identity();
    const replica = store === 'a server, beside a replica' ? on.start() : undefined;
    const dying = on.start(kills);
    command(dying, identity).catch(() => undefined);
    await on.pass(works);
    const isKilled = dying.isDead();
    if (!isKilled) dying.die();
    const next = replica ?? on.start();
    try {
      const answered = command(next, identity);
      answered.catch(() => undefined);
      await on.pass(works + CLAIM_MS);
      await holds(on, await answered, next);
    } catch (error) {
      throw new Error(`killed at write ${kills}: ${(error as Error).message}`, { cause: error });
    }
    await on.end();
    if (!isKilled) return kills;
  }
}

/** What the killed one had claimed falls due. */
const CLAIM_MS = 61_000;

/** A replica does a part of the writes. */
export const least = (store: Store, writes: number): number => (store === 'a server, beside a replica' ? 0 : writes);
