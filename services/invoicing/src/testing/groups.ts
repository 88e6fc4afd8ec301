import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import type { Collection, Doc, DocumentStore } from '@svc/document-store';
import { documentDeadLetters, EmbeddedBus, type BatchContext } from '@svc/event-bus';
import type { Publisher } from '@svc/event-bus/publishing/publisher';
import { DomainError } from '@svc/kernel';
import { customerPublisher } from '../customer/publish.ts';
import { createCustomer, updateCustomer } from '../customer/write.ts';
import { callerOf, dataFolder, openSystem } from './open-system.ts';

type Take = (events: PublicEvent[]) => Promise<void>;

/** Wraps the collections of a process. While `isFull`, every write to them fails; `refused` counts the failures. */
export class Disk {
  isFull = false;
  refused = 0;

  of<D extends Doc>(collection: Collection<D>): Collection<D> {
    const written =
      <Given extends unknown[], Answer>(write: (...given: Given) => Promise<Answer>) =>
      async (...given: Given): Promise<Answer> => {
        if (!this.isFull) return write(...given);
        this.refused += 1;
        throw new DomainError('service_unavailable', 'the disk is full');
      };
    return { ...collection, insert: written(collection.insert), write: written(collection.write), claim: written(collection.claim) };
  }
}

/** Fails where an event of a subject arrives before an earlier one. */
export function checkOrder(events: PublicEvent[]): void {
  for (const ofOne of Map.groupBy(events, ({ subject }) => subject).values()) {
    let newest = 0;
    for (const { sequence } of ofOne) {
      if (sequence > newest + 1) throw new Error(`event ${sequence} after ${newest}`);
      newest = Math.max(newest, sequence);
    }
  }
}

/** A store of customers, and processes with groups that get their events. */
export function storeWithGroups() {
  const folder = dataFolder();
  const system = openSystem(folder.path);
  const running = new Set<() => Promise<void>>();

  /** A process with these groups. `received`: the events that each group has handled; `before`: runs before a group handles a batch. */
  function run(
    groups: string[],
    before: Record<string, Take> = {},
    { disk = new Disk(), publisher = customerPublisher as Publisher, holder = 'first' } = {},
  ) {
    const received = new Map<string, PublicEvent[]>(groups.map((group) => [group, []]));
    const positions = new Map<string, Set<string>>(groups.map((group) => [group, new Set()]));
    const stored = documentDeadLetters(system.documents);
    const deadLetters: typeof stored = (group) => disk.of(stored(group));
    const bus = new EmbeddedBus({ clock: system.clock, logger: system.logger, deadLetters, head: () => system.store.head() });
    for (const group of groups) {
      const take = async (events: PublicEvent[], context: BatchContext): Promise<void> => {
        await before[group]?.(events);
        received.get(group)?.push(...events);
        for (const [n, { id }] of events.entries()) positions.get(group)?.add(`${id} ${context.positions[n]?.at}`);
      };
      bus.addHandler({ group, topic: topics.customer }, take as never, true);
    }
    const documents: DocumentStore = { ...system.documents, collection: (...given) => disk.of(system.documents.collection(...given)) };
    const subscribing = { ...system.subscribing, holder, checkpoints: disk.of(system.subscribing.checkpoints) };
    const publishing = bus.relay({ source: 'invoicing', subscribing, documents, publishers: [publisher] });
    bus.listen(() => undefined);
    /** Stops as a crash would, without waiting for batches in hand. */
    const cut = async (): Promise<void> => {
      await publishing.stop();
      void bus.close();
    };
    running.add(cut);
    const distinct = (group: string): string[] => [...new Set(received.get(group)?.map(({ id }) => id))];
    return {
      bus,
      publishing,
      received,
      positions,
      distinct,
      async until(group: string, count: number): Promise<void> {
        for (let n = 0; n < 2_000 && distinct(group).length < count; n += 1) await system.clock.sleep(10);
        if (distinct(group).length !== count) throw new Error(`${group} has ${distinct(group).length} events, not ${count}`);
      },
      cut,
      async stop(): Promise<void> {
        await publishing.stop();
        await bus.close();
      },
    };
  }

  const make = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      const writing = () => ({ context: system.context, customers: system.customers, identity: callerOf(system) });
      const { id } = await createCustomer(writing(), { name: `Name ${n}` });
      await updateCustomer(writing(), { id, ifMatch: undefined, body: { metadata: { n: String(n) } } });
    }
  };

  const all = async (): Promise<string[]> => {
    const names: string[] = [];
    const read = Promise.withResolvers<void>();
    const stop = system.store.subscribe('start', async ({ events, caughtUp }) => {
      names.push(...events.filter(({ stream }) => stream.startsWith('customer-')).map(({ id }) => id));
      if (caughtUp) read.resolve();
    });
    await read.promise;
    await stop();
    return names;
  };

  /** Runs these groups until they have received everything that is stored; returns the number of events. */
  async function upToDate(...groups: string[]): Promise<number> {
    const counted = { events: 0 };
    const process = run(['all', ...groups]);
    const head = async (): Promise<number> => (await all()).length;
    for (const group of groups) await process.until(group, (counted.events = await head()));
    await process.stop();
    return counted.events;
  }

  return {
    system,
    run,
    make,
    all,
    upToDate,
    /** Stops the processes that a test started, also when the test fails. */
    async end(): Promise<void> {
      for (const end of running) await end();
      running.clear();
    },
    remove(): void {
      system.engine.close();
      folder.remove();
    },
  };
}
