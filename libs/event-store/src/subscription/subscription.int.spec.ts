import { embeddedDocumentStore, type Collection } from '@svc/document-store';
import { createIds, FakeClock, settleTurns, type NewEvent, type Recorded } from '@svc/kernel';
import type { Checkpoint } from './checkpoint.ts';
import { embeddedEventStore } from '../embedded/embedded-event-store.ts';
import { startSubscription, type Subscription, type SubscriptionOptions } from './subscription.ts';
import type { EventStore } from '../port.ts';
import { temporaryEngine } from '../testing/temporary-engine.ts';

describe('subscription', () => {
  let clock: FakeClock;
  let fixture: ReturnType<typeof temporaryEngine>;
  let store: EventStore;
  let checkpoints: Collection<Checkpoint>;
  let handled: number[][];
  let logged: string[];
  let subscriptions: Subscription[];
  const logger = { warn: () => undefined, error: (_: object, message: string) => void logged.push(message) };

  beforeEach(() => {
    clock = new FakeClock();
    fixture = temporaryEngine();
    store = embeddedEventStore(fixture.engine, clock);
    checkpoints = embeddedDocumentStore(fixture.engine, 'svc_test').collection('checkpoints');
    [handled, logged, subscriptions] = [[], [], []];
  });
  afterEach(async () => {
    await Promise.all(subscriptions.map((subscription) => subscription.stop()));
    fixture.remove();
  });

  const positionsOf = (events: Recorded[]): number[] => events.map(({ position }) => Number(position));
  const take = async (events: Recorded[]): Promise<void> => void handled.push(positionsOf(events));

  function start(options: Partial<SubscriptionOptions> = {}): Subscription {
    const subscription = startSubscription({
      name: 'projection',
      store,
      checkpoints,
      clock,
      logger,
      handle: take,
      saveWithin: 0,
      ...options,
    });
    subscriptions.push(subscription);
    return subscription;
  }

  let streams = 0;
  async function append(count = 1): Promise<void> {
    const ids = createIds(clock);
    const events = Array.from({ length: count }, (): NewEvent => {
      return { id: ids.next(), type: 'Happened', data: {}, metadata: { v: 1, account: 'acct_1', env: 'test' } };
    });
    await store.append(`invoice-test.acct_1.${(streams += 1)}`, 'none', events);
  }
  const saved = async (): Promise<string | undefined> => (await checkpoints.get('projection'))?.position;

  test('handles everything in order, 200 at a time, then saves its position', async () => {
    await append(450);
    const subscription = start();
    await settleTurns(50);
    expect(handled.map((batch) => batch.length)).toEqual([200, 200, 50]);
    expect(handled.flat()).toEqual(Array.from({ length: 450 }, (_, n) => n + 1));
    expect(subscription.position()).toBe(450n);
    expect(await saved()).toBe('450');
  });

  test('continues after its checkpoint', async () => {
    await append(3);
    const first = start();
    await settleTurns();
    await first.stop();
    await append(2);
    start();
    await settleTurns();
    expect(handled).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  test('saves nothing before the handler is done: a crash in between repeats the batch', async () => {
    await append(2);
    start({ handle: async (events) => (await take(events), new Promise(() => undefined)) });
    await settleTurns();
    expect(handled).toEqual([[1, 2]]);
    expect(await saved()).toBeUndefined();

    subscriptions = [];
    const engine = fixture.crash();
    store = embeddedEventStore(engine, clock);
    checkpoints = embeddedDocumentStore(engine, 'svc_test').collection('checkpoints');
    start();
    await settleTurns();
    expect(handled).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(await saved()).toBe('2');
  });

  test('handles the first event at once and those of the next 10 ms together', async () => {
    start();
    await clock.advance(1_000);
    await append();
    await settleTurns();
    expect(handled).toEqual([[1]]);
    await append();
    await append();
    await clock.advance(9);
    expect(handled).toEqual([[1]]);
    await clock.advance(1);
    expect(handled).toEqual([[1], [2, 3]]);
  });

  test('handles those of the next 40 ms together after four and more', async () => {
    start();
    await clock.advance(1_000);
    await append(4);
    await settleTurns();
    expect(handled).toEqual([[1, 2, 3, 4]]);
    await append();
    await clock.advance(39);
    expect(handled).toHaveLength(1);
    await append();
    await clock.advance(1);
    expect(handled).toEqual([
      [1, 2, 3, 4],
      [5, 6],
    ]);
  });

  test('handles at once while a caller waits', async () => {
    const subscription = start();
    await clock.advance(1_000);
    await append();
    await settleTurns();
    await append();
    expect(await subscription.waitFor(2n, 2_000)).toBe(true);
    expect(handled).toEqual([[1], [2]]);
    expect(await subscription.waitFor(1n, 2_000)).toBe(true);
  });

  test('a wait that times out returns false', async () => {
    const subscription = start({ handle: () => new Promise(() => undefined) });
    subscriptions = [];
    await append();
    let answer: boolean | undefined;
    void subscription.waitFor(1n, 2_000).then((reached) => (answer = reached));
    await clock.advance(1_999);
    expect(answer).toBeUndefined();
    await clock.advance(1);
    expect(answer).toBe(false);
  });

  test('a failed batch is logged and repeated; the lag grows meanwhile and is 0 afterwards', async () => {
    let isBroken = true;
    const subscription = start({
      async handle(events) {
        if (isBroken) throw new Error('not now');
        await take(events);
      },
    });
    await append();
    await clock.advance(30_000);
    expect([await subscription.isBehind(), await subscription.lagSeconds()]).toEqual([true, 30]);
    expect(new Set(logged)).toEqual(new Set(['a batch failed and will be repeated']));
    expect(logged.length).toBeLessThan(15);
    expect(subscription.position()).toBe(0n);
    isBroken = false;
    await clock.advance(10_000);
    expect(handled).toEqual([[1]]);
    expect([await subscription.isBehind(), await subscription.lagSeconds()]).toEqual([false, 0]);
  });

  test('without events although the store has more it is behind, since that is known', async () => {
    const subscription = start({ store: { ...store, subscribe: () => async () => undefined } });
    await settleTurns(5);
    expect([await subscription.isBehind(), await subscription.lagSeconds()]).toEqual([false, 0]);
    await append();
    expect([await subscription.isBehind(), await subscription.lagSeconds()]).toEqual([true, 0]);
    await clock.advance(30_000);
    expect([await subscription.isBehind(), await subscription.lagSeconds()]).toEqual([true, 30]);
  });

  test('where the store does not answer it is behind, its lag grows since then, and one line a minute logs it', async () => {
    let isAway = true;
    const away: EventStore = { ...store, head: () => (isAway ? Promise.reject(new Error('away')) : store.head()) };
    const subscription = start({ store: away });
    for (let second = 0; second < 90; second += 1) {
      expect([await subscription.isBehind(), await subscription.lagSeconds()]).toEqual([true, second]);
      await clock.advance(1_000);
    }
    expect(logged).toEqual(Array(2).fill('the store does not say what it has'));
    isAway = false;
    expect([await subscription.isBehind(), await subscription.lagSeconds()]).toEqual([false, 0]);
  });

  test('events that cannot be read are logged once a minute and count as lag', async () => {
    const logged: string[] = [];
    store = embeddedEventStore(fixture.engine, clock, { error: (_, message) => void logged.push(message) });
    await append();
    await fixture.engine.write((db) => db.sql(`UPDATE events SET data = '{'`).run());
    const subscription = start();
    await clock.advance(90_000);
    expect(logged).toEqual(Array(2).fill('a subscription cannot read the events that come next; it tries again'));
    await subscription.lagSeconds();
    await clock.advance(30_000);
    expect([await subscription.isBehind(), await subscription.lagSeconds()]).toEqual([true, 30]);
  });

  test('stop waits for the batch in hand and saves its position', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const subscription = start({ handle: () => held });
    await append();
    await settleTurns();
    const stopped = subscription.stop();
    release();
    await stopped;
    expect(await saved()).toBe('1');
  });

  test('saves at most every 20 ms while it has more to read', async () => {
    let saves = 0;
    const counting: Collection<Checkpoint> = { ...bound(checkpoints), write: (ops) => ((saves += 1), checkpoints.write(ops)) };
    await append(1_000);
    start({ checkpoints: counting });
    await settleTurns(50);
    expect(handled).toHaveLength(5);
    expect(saves).toBe(1);
  });

  test('saves after at most 200 ms where no caller waits for its position', async () => {
    start({ saveWithin: undefined });
    await settleTurns();
    for (let n = 0; n < 4; n += 1) {
      await append();
      await clock.advance(20);
    }
    expect(handled.flat()).toEqual([1, 2, 3, 4]);
    expect(await saved()).toBeUndefined();
    await clock.advance(200);
    expect(await saved()).toBe('4');
  });

  test('several subscriptions save at the same time, in one commit', async () => {
    for (const name of ['a', 'b', 'c']) {
      start({ name, saveWithin: undefined });
      await clock.advance(30);
    }
    await append();
    await clock.advance(10);
    const before = fixture.engine.counters.commits;
    await clock.advance(190);
    expect(await Promise.all(['a', 'b', 'c'].map(async (name) => (await checkpoints.get(name))?.position))).toEqual(['1', '1', '1']);
    expect(fixture.engine.counters.commits - before).toBe(1);
  });

  test('passes over events that do not concern it', async () => {
    const subscription = start({ concerns: ({ position }) => position % 2n === 0n });
    await append(4);
    await clock.advance(100);
    expect(handled.flat()).toEqual([2, 4]);
    expect(subscription.position()).toBe(4n);
  });

  test('a checkpoint that cannot be read or saved is logged and retried, without delaying events', async () => {
    let isDown = true;
    const failing: Collection<Checkpoint> = {
      ...bound(checkpoints),
      get: (id) => (isDown ? Promise.reject(new Error('down')) : checkpoints.get(id)),
      write: (ops) => (isDown ? Promise.reject(new Error('down')) : checkpoints.write(ops)),
    };
    await append();
    start({ checkpoints: failing });
    await settleTurns();
    expect(logged).toEqual(['its checkpoint cannot be read']);
    isDown = false;
    await clock.advance(50);
    expect(handled).toEqual([[1]]);
    isDown = true;
    await append();
    await clock.advance(100);
    expect(handled).toEqual([[1], [2]]);
    expect(logged).toContain('its checkpoint cannot be saved');
    isDown = false;
    await clock.advance(1_000);
    expect(await saved()).toBe('2');
  });

  test('an older position never overwrites a newer one', async () => {
    await append(2);
    const slow = start({ name: 'projection' });
    await settleTurns();
    await checkpoints.write([{ put: { _id: 'projection', version: 100, position: '99' } }]);
    await append();
    await clock.advance(100);
    expect(slow.position()).toBe(3n);
    expect(await saved()).toBe('99');
  });
});

const bound = <D extends Checkpoint>(collection: Collection<D>): Collection<D> => ({
  get: (id) => collection.get(id),
  insert: (doc) => collection.insert(doc),
  insertFor: (command, doc) => collection.insertFor(command, doc),
  indexed: (ids, fields) => collection.indexed(ids, fields),
  find: (filter, query) => collection.find(filter, query),
  count: (filter) => collection.count(filter),
  highest: (field, filter) => collection.highest(field, filter),
  page: (filter, query, bytes) => collection.page(filter, query, bytes),
  read: (ids, filter, bytes) => collection.read(ids, filter, bytes),
  write: (ops) => collection.write(ops),
  claim: (filter, change, query) => collection.claim(filter, change, query),
  size: () => collection.size(),
});
