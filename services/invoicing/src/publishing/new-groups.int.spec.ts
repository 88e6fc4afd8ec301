import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { comesAfter, EmbeddedBus, type BatchContext } from '@svc/event-bus';
import { customerPublisher } from '../customer/publish.ts';
import { createCustomer, updateCustomer } from '../customer/write.ts';
import { callerOf, dataFolder, openWorld } from '../open-world.suite.ts';
import { startPublishing } from './start-publishing.ts';

const folder = dataFolder();
const world = openWorld(folder.path);
afterAll(() => {
  world.engine.close();
  folder.remove();
});

/** A process with these groups: what each of them was told, until it is stopped. */
function run(...groups: string[]) {
  const told = new Map<string, PublicEvent[]>(groups.map((group) => [group, []]));
  const positions = new Map<string, Set<string>>(groups.map((group) => [group, new Set()]));
  const deadLetters = () => world.documents.collection('dead_letters') as never;
  const bus = new EmbeddedBus({ clock: world.clock, logger: world.logger, deadLetters, head: () => world.store.head() });
  for (const group of groups) {
    const take = async (events: PublicEvent[], context: BatchContext): Promise<void> => {
      told.get(group)?.push(...events);
      for (const [n, { id }] of events.entries()) positions.get(group)?.add(`${id} ${context.positions[n]?.at}`);
    };
    bus.addHandler({ group, topic: topics.customer }, take as never, true);
  }
  const publishing = startPublishing({ following: world.following, documents: world.documents, bus, publishers: [customerPublisher] });
  bus.listen(() => undefined);
  return {
    bus,
    told,
    positions,
    async until(group: string, count: number): Promise<void> {
      for (let n = 0; n < 500 && new Set(told.get(group)?.map(({ id }) => id)).size < count; n += 1) await world.clock.sleep(10);
      expect(new Set(told.get(group)?.map(({ id }) => id)).size).toBe(count);
    },
    async stop(): Promise<void> {
      await publishing.stop();
      await bus.close();
    },
  };
}

let made = 0;
const make = async (count: number): Promise<void> => {
  made += count;
  for (let n = 0; n < count; n += 1) {
    const writing = () => ({ context: world.context, customers: world.customers, identity: callerOf(world) });
    const { id } = await createCustomer(writing(), { name: `Name ${n}` });
    await updateCustomer(writing(), { id, ifMatch: undefined, body: { metadata: { n: String(n) } } });
  }
};

test('a group that comes later is told everything from the beginning; those that were there are not told again', async () => {
  await make(5);
  const first = run('reporting');
  await first.until('reporting', 10);
  await first.stop();

  await make(5);
  const second = run('reporting', 'reporting.r2');
  await Promise.all([second.until('reporting', 10), second.until('reporting.r2', 20)]);
  await make(5);
  await Promise.all([second.until('reporting', 20), second.until('reporting.r2', 30)]);
  await second.stop();

  const third = run('reporting', 'reporting.r2');
  await make(1);
  await Promise.all([third.until('reporting', 2), third.until('reporting.r2', 2)]);
  await third.stop();
});

test('stopping does not wait for a bus that never listens', async () => {
  const deadLetters = () => world.documents.collection('dead_letters') as never;
  const bus = new EmbeddedBus({ clock: world.clock, logger: world.logger, deadLetters, head: async () => 0n });
  const publishing = startPublishing({ following: world.following, documents: world.documents, bus, publishers: [customerPublisher] });
  await make(1);
  await publishing.stop();
});

test('what is told has its position in the store, the same whenever it is told: the ends of a topic tell what was there from what comes', async () => {
  const first = run('early');
  await first.until('early', 2 * made);
  const ends = await first.bus.ends();
  const before = 2 * made;
  await make(2);
  await first.until('early', 2 * made);
  await first.stop();
  const second = run('late');
  await second.until('late', 2 * made);
  await second.stop();
  const [early, late] = [first.positions.get('early'), second.positions.get('late')];
  expect(late).toEqual(early);
  const after = [...(late ?? [])].filter((one) => comesAfter(ends, { part: 'store', at: BigInt(one.split(' ')[1] ?? 0) }));
  expect([late?.size, after.length]).toEqual([2 * made, 2 * made - before]);
});
