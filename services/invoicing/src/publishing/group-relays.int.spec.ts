import { comesAfter, documentDeadLetters, EmbeddedBus } from '@svc/event-bus';
import { OutcomeUnknown, UnknownEvent } from '@svc/kernel';
import { customerPublisher } from '../customer/publish.ts';
import { checkOrder, Disk, storeWithGroups } from '../testing/groups.ts';

const { system, run, make, upToDate, end, remove } = storeWithGroups();
afterEach(end);
afterAll(remove);

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

test('a slow group does not delay others; it receives everything in order once it continues', async () => {
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
  for (const group of ['slow', 'quick']) checkOrder(process.received.get(group) ?? []);
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
  checkOrder(process.received.get('retrying') ?? []);
  await process.stop();
});

test('a crash loses no event for a group that is behind, however far ahead another is', async () => {
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
  checkOrder(third.received.get('behind') ?? []);
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
    const process = run(['long', 'short'], { long: async () => (disk.isFull ? open.promise : undefined) }, { disk });
    await make(1);
    await Promise.all([process.until('long', 2), process.until('short', 2)]);
    disk.isFull = true;
    await make(2);
    await process.until('short', 6);
    await untilRefused(disk, 2);
    open.resolve();
    await process.until('long', 6);
    await untilRefused(disk, disk.refused + 2);
    expect([handed(process, 'long').length, handed(process, 'short').length]).toEqual([6, 6]);
    disk.isFull = false;
    await make(2);
    await Promise.all([process.until('long', 10), process.until('short', 10)]);
    for (const group of ['long', 'short']) checkOrder(process.received.get(group) ?? []);
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
    const process = run(['crashed', 'unharmed'], { crashed: async () => (disk.isFull ? hung : undefined) }, { disk });
    await make(1);
    await Promise.all([process.until('crashed', 2), process.until('unharmed', 2)]);
    disk.isFull = true;
    await make(2);
    await process.until('unharmed', 6);
    await untilRefused(disk, 2);
    await process.cut();
    const next = run(['crashed', 'unharmed']);
    const missing = process.distinct('unharmed').slice(2);
    while (!missing.every((id) => next.distinct('crashed').includes(id))) await system.clock.sleep(10);
    checkOrder(next.received.get('crashed') ?? []);
    await next.stop();
  });

  test('a group whose events cannot be stored as dead letters does not delay others', async () => {
    await upToDate('broken', 'whole');
    const disk = new Disk();
    const failing = async (): Promise<void> => {
      if (disk.isFull) throw new UnknownEvent({ stream: 'customer', type: 'Merged', metadata: { v: 1 } });
    };
    const process = run(['broken', 'whole'], { broken: failing }, { disk });
    await make(1);
    await Promise.all([process.until('broken', 2), process.until('whole', 2)]);
    disk.isFull = true;
    await make(2);
    await process.until('whole', 6);
    await untilRefused(disk, 5);
    expect(handed(process, 'whole').length).toBe(6);
    disk.isFull = false;
    await make(1);
    await Promise.all([process.until('broken', 8), process.until('whole', 8)]);
    checkOrder(process.received.get('broken') ?? []);
    await process.stop();
  });
});

test('one of several replicas publishes to a group; another goes on when it stops', async () => {
  await upToDate('replicated');
  const [first, second] = [run(['replicated']), run(['replicated'], {}, { holder: 'second' })];
  await make(2);
  await first.until('replicated', 4);
  await first.stop();
  await make(1);
  await second.until('replicated', 2);
  expect(first.received.get('replicated')).toHaveLength(4);
  expect(second.received.get('replicated')).toHaveLength(2);
  await second.stop();
});

test('stopping does not wait for a group that retries', async () => {
  await upToDate('endless');
  const retrying = async (): Promise<void> => {
    throw new OutcomeUnknown('its server does not answer');
  };
  const process = run(['all', 'endless'], { endless: retrying });
  await make(1);
  await process.until('all', 2);
  const begun = Date.now();
  await process.stop();
  expect(Date.now() - begun).toBeLessThan(5_000);
  const next = run(['endless']);
  await next.until('endless', 2);
  await next.stop();
});

test('reports the group that is furthest behind', async () => {
  await upToDate('far', 'near');
  const open = Promise.withResolvers<void>();
  const { publishing, ...process } = run(['far', 'near'], { far: () => open.promise });
  await make(1);
  await process.until('near', 2);
  const head = await system.store.head();
  expect([publishing.position() < head, await publishing.isBehind(), await publishing.waitFor(head, 20)]).toEqual([true, true, false]);
  while ((await publishing.lagSeconds()) === 0) await system.clock.sleep(10);
  open.resolve();
  expect(await publishing.waitFor(head, 10_000)).toBe(true);
  expect([publishing.position(), await publishing.isBehind()]).toEqual([head, false]);
  await process.stop();
});

test('stopping does not wait for a bus that never starts listening', async () => {
  const deadLetters = documentDeadLetters(system.documents);
  const bus = new EmbeddedBus({ clock: system.clock, logger: system.logger, deadLetters, head: async () => 0n });
  const publishing = bus.relay({
    source: 'invoicing',
    subscribing: system.subscribing,
    documents: system.documents,
    publishers: [customerPublisher],
  });
  await make(1);
  await publishing.stop();
  await bus.close();
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
