import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import type { Collection, Doc, DocumentStore } from '@svc/document-store';
import { comesAfter, documentDeadLetters, EmbeddedBus, type BatchContext } from '@svc/event-bus';
import { OutcomeUnknown, DomainError, UnknownEvent } from '@svc/kernel';
import { customerPublisher } from '../customer/publish.ts';
import { createCustomer, updateCustomer } from '../customer/write.ts';
import { callerOf, dataFolder, openSystem } from '../testing/open-system.ts';

const folder = dataFolder();
const system = openSystem(folder.path);
/** Stops the processes that a test started, also when the test fails. */
const running = new Set<() => Promise<void>>();
afterEach(async () => {
  for (const end of running) await end();
  running.clear();
});
afterAll(() => {
  system.engine.close();
  folder.remove();
});

type Take = (events: PublicEvent[]) => Promise<void>;

/** Wraps the collections of a process. While `isFull`, every write to them fails; `refused` counts the failures. */
class Disk {
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

/** A process with these groups. `received`: the events that each group has handled; `before`: runs before a group handles a batch. */
function run(groups: string[], before: Record<string, Take> = {}, disk = new Disk()) {
  const received = new Map<string, PublicEvent[]>(groups.map((group) => [group, []]));
  const positions = new Map<string, Set<string>>(groups.map((group) => [group, new Set()]));
  const letters = documentDeadLetters(system.documents);
  const deadLetters: typeof letters = (group) => disk.of(letters(group));
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
  const subscribing = { ...system.subscribing, checkpoints: disk.of(system.subscribing.checkpoints) };
  const publishing = bus.relay({ source: 'invoicing', subscribing, documents, publishers: [customerPublisher], topics: [topics.customer] });
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
    received,
    positions,
    distinct,
    async until(group: string, count: number): Promise<void> {
      for (let n = 0; n < 2_000 && distinct(group).length < count; n += 1) await system.clock.sleep(10);
      expect(distinct(group).length).toBe(count);
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

test('a group added later receives everything from the beginning; existing groups receive nothing twice', async () => {
  await make(5);
  const first = run(['reporting']);
  await first.until('reporting', 10);
  await first.stop();

  await make(5);
  const second = run(['reporting', 'reporting.r2']);
  await Promise.all([second.until('reporting', 10), second.until('reporting.r2', 20)]);
  await make(5);
  await Promise.all([second.until('reporting', 20), second.until('reporting.r2', 30)]);
  await second.stop();

  const third = run(['reporting', 'reporting.r2']);
  await make(1);
  await Promise.all([third.until('reporting', 2), third.until('reporting.r2', 2)]);
  await third.stop();
});

test('groups that release 0.1.0 fed by the relay alone receive nothing twice; a later one receives everything', async () => {
  await make(3);
  const before = await upToDate('kept', 'kept too');
  const known = system.documents.collection('consumer_groups');
  for await (const { _id } of known.find({})) await known.write([{ delete: _id }]);
  const { checkpoints } = system.subscribing;
  for await (const { _id } of checkpoints.find({})) if (_id !== 'publishing') await checkpoints.write([{ delete: _id }]);
  const second = run(['kept', 'kept too']);
  await make(1);
  await Promise.all([second.until('kept', 2), second.until('kept too', 2)]);
  await second.stop();
  const third = run(['kept', 'last of all']);
  await third.until('last of all', before + 2);
  expect(third.distinct('kept')).toEqual([]);
  await third.stop();
});

/** Fails where an event of a subject arrives before an earlier one. */
function expectInOrder(events: PublicEvent[]): void {
  for (const ofOne of Map.groupBy(events, ({ subject }) => subject).values()) {
    let newest = 0;
    for (const { sequence } of ofOne) {
      expect(sequence).toBeLessThanOrEqual(newest + 1);
      newest = Math.max(newest, sequence);
    }
  }
}

/** Runs these groups until they have received everything that is stored; returns the number of events. */
async function upToDate(...groups: string[]): Promise<number> {
  const counted = { events: 0 };
  const process = run(['all', ...groups]);
  const head = async (): Promise<number> => (await all()).length;
  for (const group of groups) await process.until(group, (counted.events = await head()));
  await process.stop();
  return counted.events;
}
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

test('a slow group does not delay others; it receives everything in order once it continues, and then is fed by the relay again', async () => {
  await upToDate('slow', 'quick');
  const open = Promise.withResolvers<void>();
  const process = run(['slow', 'quick'], { slow: () => open.promise });
  await make(3);
  await process.until('quick', 6);
  await make(3);
  await process.until('quick', 12);
  await make(3);
  await process.until('quick', 18);
  expect(process.received.get('slow')).toEqual([]);
  open.resolve();
  await process.until('slow', 18);
  await make(3);
  await Promise.all([process.until('slow', 24), process.until('quick', 24)]);
  for (const group of ['slow', 'quick']) expectInOrder(process.received.get(group) ?? []);
  await process.stop();
});

test('a group that keeps retrying an event does not delay others; once the event succeeds it receives all later ones in order', async () => {
  await upToDate('retrying', 'steady');
  let away = true;
  const process = run(['retrying', 'steady'], {
    async retrying() {
      if (away) throw new OutcomeUnknown('its server does not answer');
    },
  });
  await make(1);
  await process.until('steady', 2);
  await make(4);
  await process.until('steady', 10);
  expect(process.received.get('retrying')).toEqual([]);
  away = false;
  await process.until('retrying', 10);
  expectInOrder(process.received.get('retrying') ?? []);
  await process.stop();
});

test('a crash loses no event for a group that is behind, however far ahead the relay was', async () => {
  await upToDate('behind', 'ahead');
  const hung = run(['behind', 'ahead'], { behind: () => new Promise(() => undefined) });
  await make(2);
  await hung.until('ahead', 4);
  await make(2);
  await hung.until('ahead', 8);
  await hung.cut();
  const second = run(['behind', 'ahead'], { behind: () => new Promise(() => undefined) });
  await make(1);
  await second.until('ahead', 2);
  await second.cut();
  const third = run(['behind', 'ahead']);
  await make(1);
  await third.until('behind', 12);
  expectInOrder(third.received.get('behind') ?? []);
  await third.until('ahead', 2);
  await third.stop();
});

describe('while the disk is full', () => {
  const untilRefused = async (disk: Disk, times: number): Promise<void> => {
    while (disk.refused < times) await system.clock.sleep(10);
  };
  /** The ids that the group has handled, repetitions included. */
  const handed = (process: ReturnType<typeof run>, group: string): string[] => process.received.get(group)?.map(({ id }) => id) ?? [];

  test('every group receives each batch once, also a slow one; with space again all go on, and a restart repeats nothing', async () => {
    await upToDate('long', 'short');
    const open = Promise.withResolvers<void>();
    const disk = new Disk();
    const process = run(['long', 'short'], { long: async () => (disk.isFull ? open.promise : undefined) }, disk);
    await make(1);
    await Promise.all([process.until('long', 2), process.until('short', 2)]);
    disk.isFull = true;
    await make(2);
    await process.until('short', 6);
    await untilRefused(disk, 12);
    open.resolve();
    await process.until('long', 6);
    await untilRefused(disk, disk.refused + 4);
    expect([handed(process, 'long').length, handed(process, 'short').length]).toEqual([6, 6]);
    disk.isFull = false;
    await make(2);
    await Promise.all([process.until('long', 10), process.until('short', 10)]);
    for (const group of ['long', 'short']) expectInOrder(process.received.get(group) ?? []);
    await process.stop();
    const next = run(['long', 'short']);
    await make(1);
    await Promise.all([next.until('long', 2), next.until('short', 2)]);
    await next.stop();
  });

  test('a crash loses nothing', async () => {
    await upToDate('crashed', 'unharmed');
    const disk = new Disk();
    const hung = new Promise<void>(() => undefined);
    const process = run(['crashed', 'unharmed'], { crashed: async () => (disk.isFull ? hung : undefined) }, disk);
    await make(1);
    await Promise.all([process.until('crashed', 2), process.until('unharmed', 2)]);
    disk.isFull = true;
    await make(2);
    await process.until('unharmed', 6);
    await untilRefused(disk, 8);
    await process.cut();
    const next = run(['crashed', 'unharmed']);
    const missing = process.distinct('unharmed').slice(2);
    while (!missing.every((id) => next.distinct('crashed').includes(id))) await system.clock.sleep(10);
    expectInOrder(next.received.get('crashed') ?? []);
    await next.stop();
  });

  test('a group whose events cannot be stored as dead letters does not delay others', async () => {
    await upToDate('broken', 'whole');
    const disk = new Disk();
    const failing = async (): Promise<void> => {
      if (disk.isFull) throw new UnknownEvent({ stream: 'customer', type: 'Merged', metadata: { v: 1 } });
    };
    const process = run(['broken', 'whole'], { broken: failing }, disk);
    await make(1);
    await Promise.all([process.until('broken', 2), process.until('whole', 2)]);
    disk.isFull = true;
    await make(2);
    await process.until('whole', 6);
    await untilRefused(disk, 20);
    expect(handed(process, 'whole').length).toBe(6);
    disk.isFull = false;
    await make(1);
    await Promise.all([process.until('broken', 8), process.until('whole', 8)]);
    expectInOrder(process.received.get('broken') ?? []);
    await process.stop();
  });
});

test('stopping does not wait for a bus that never starts listening', async () => {
  const deadLetters = documentDeadLetters(system.documents);
  const bus = new EmbeddedBus({ clock: system.clock, logger: system.logger, deadLetters, head: async () => 0n });
  const publishing = bus.relay({
    source: 'invoicing',
    subscribing: system.subscribing,
    documents: system.documents,
    publishers: [customerPublisher],
    topics: [topics.customer],
  });
  running.add(() => bus.close());
  await make(1);
  await publishing.stop();
});

test('an event keeps its position in the store, so that the ends of a topic separate earlier events from later ones', async () => {
  const before = await upToDate('early');
  const first = run(['early']);
  const ends = await first.bus.ends();
  await make(2);
  await first.until('early', 4);
  await first.stop();
  const second = run(['late']);
  await second.until('late', before + 4);
  await second.stop();
  const [early, late] = [first.positions.get('early') ?? new Set<string>(), second.positions.get('late') ?? new Set<string>()];
  expect([...late]).toEqual(expect.arrayContaining([...early]));
  const after = [...late].filter((one) => comesAfter(ends, { part: 'store', at: BigInt(one.split(' ')[1] ?? 0) }));
  expect(new Set(after)).toEqual(early);
  expect(late.size).toBe(before + 4);
});
