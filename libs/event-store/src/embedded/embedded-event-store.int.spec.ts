import { createIds, FakeClock, settleTurns, systemClock, type NewEvent } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { eventStoreSuite } from '../event-store.suite.ts';
import { temporaryEngine } from '../testing/temporary-engine.ts';
import { embeddedEventStore } from './embedded-event-store.ts';

eventStoreSuite('embedded', async () => {
  const fixture = temporaryEngine();
  return {
    store: embeddedEventStore(fixture.engine, systemClock),
    reopen: async () => embeddedEventStore(fixture.restart(), systemClock),
    close: async () => fixture.remove(),
  };
});

describe('embedded event store', () => {
  const clock = new FakeClock();
  const ids = createIds(clock);
  const event = (data: object = {}): NewEvent => ({
    id: ids.next(),
    type: 'Happened',
    data,
    metadata: { v: 1, account: 'acct_1', env: 'test' },
  });
  const events = (count: number): NewEvent[] => Array.from({ length: count }, (_, n) => event({ n }));
  let fixture: ReturnType<typeof temporaryEngine>;
  beforeEach(() => (fixture = temporaryEngine()));
  afterEach(() => fixture.remove());

  test('the appends of one turn share one commit, and each sees those before it', async () => {
    const store = embeddedEventStore(fixture.engine, clock);
    const before = fixture.engine.counters.commits;
    const outcomes = await Promise.allSettled([
      store.append('a-test.x.1', 'none', events(1)),
      store.append('a-test.x.1', 0n, events(1)),
      store.append('a-test.x.1', 0n, events(1)),
      store.append('a-test.x.2', 'none', events(1)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(fixture.engine.counters.commits - before).toBe(1);
  });

  test('a turn that cannot be committed stores nothing, and the same appends succeed in the next', async () => {
    const store = embeddedEventStore(fixture.engine, clock);
    await store.append('a-test.x.1', 'none', events(1));
    const head = await store.head();
    const lost = store.append('a-test.x.1', 0n, events(2));
    const spoiled = fixture.engine.write((engine) => engine.sql('ROLLBACK').run()).catch(() => 'spoiled');
    await expect(lost).rejects.toThrow();
    expect(await spoiled).toBe('spoiled');
    expect(await store.head()).toBe(head);
    expect(await store.append('a-test.x.1', 0n, events(1))).toMatchObject({ revision: 1n });
  });

  test('an append that fails midway stores none of its events, and the others of its turn are stored', async () => {
    const store = embeddedEventStore(fixture.engine, clock);
    const broken = { ...event(), id: undefined } as unknown as NewEvent;
    const [failed, other] = await Promise.allSettled([
      store.append('a-test.x.1', 'none', [event(), broken]),
      store.append('a-test.x.2', 'none', events(1)),
    ]);
    expect([failed.status, other.status]).toEqual(['rejected', 'fulfilled']);
    expect(await store.read('a-test.x.1')).toEqual([]);
    expect(await store.append('a-test.x.1', 'none', events(1))).toMatchObject({ revision: 0n });
  });

  describe('a stream of an earlier start, which an append takes for new,', () => {
    const first = events(3);
    let store: ReturnType<typeof embeddedEventStore>;
    beforeEach(async () => {
      await embeddedEventStore(fixture.engine, clock).append('a-test.x.1', 'none', first);
      store = embeddedEventStore(fixture.restart(), clock);
    });
    afterEach(async () => expect((await store.read('a-test.x.1')).map(({ id }) => id)).toEqual(first.map(({ id }) => id)));

    test('is a conflict at its last revision', async () => {
      await expect(store.append('a-test.x.1', 'none', events(2))).rejects.toMatchObject({ name: 'Conflict', actual: 2n });
    });

    test('has these events already', async () => {
      expect(await store.append('a-test.x.1', 'none', first)).toMatchObject({ revision: 2n });
    });

    test('keeps its events where the insert fails for another reason', async () => {
      const broken = { ...event(), id: undefined } as unknown as NewEvent;
      await expect(store.append('a-test.x.1', 'none', [broken])).rejects.toThrow();
    });

    test('leaves no gap in the positions', async () => {
      const before = await store.head();
      await store.append('a-test.x.1', 'none', events(2)).catch(() => undefined);
      await store.append('a-test.x.2', 'none', events(1));
      expect(await store.head()).toBe(before + 1n);
    });
  });

  test('checks the revision of each stream, also of more streams than it caches', async () => {
    const store = embeddedEventStore(fixture.engine, clock);
    const streams = Array.from({ length: 10_500 }, (_, n) => `a-test.x.${n}`);
    await Promise.all(streams.map((stream) => store.append(stream, 'none', events(1))));
    for (const stream of [streams[0], streams[10_499]] as string[]) {
      await expect(store.append(stream, 'none', events(1))).rejects.toMatchObject({ actual: 0n });
      expect(await store.append(stream, 0n, events(1))).toMatchObject({ revision: 1n });
    }
  });

  test('a crash before the commit loses the append, which was never acknowledged', async () => {
    const store = embeddedEventStore(fixture.engine, clock);
    await store.append('a-test.x.1', 'none', events(1));
    let answered = false;
    void store.append('a-test.x.1', 0n, events(1)).then(() => (answered = true));
    const again = embeddedEventStore(fixture.crash(), clock);
    await settleTurns();
    expect(answered).toBe(false);
    expect(await again.read('a-test.x.1')).toHaveLength(1);
  });

  test('a subscription that is thousands of events behind gets every one, from the table and then from memory', async () => {
    const store = embeddedEventStore(fixture.engine, clock);
    const got: number[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const stop = store.subscribe('start', async (batch) => {
      await held;
      got.push(...batch.events.map(({ position }) => Number(position)));
    });
    await settleTurns();
    for (let n = 0; n < 50; n += 1) await store.append(`a-test.x.${n}`, 'none', events(100));
    release();
    await until(() => got.length >= 5_000);
    await store.append('a-test.x.end', 'none', events(1));
    await settleTurns();
    await stop();
    expect(got).toEqual(Array.from({ length: 5_001 }, (_, n) => n + 1));
  });

  test('repeats a failed batch after growing delays of the clock', async () => {
    const store = embeddedEventStore(fixture.engine, clock);
    const start = clock.now();
    const tries: number[] = [];
    const stop = store.subscribe('start', async (batch) => {
      if (batch.events.length === 0) return;
      tries.push(clock.now() - start);
      if (tries.length < 5) throw new Error('not now');
    });
    await store.append('a-test.x.1', 'none', events(1));
    await clock.advance(60_000);
    await stop();
    expect(tries).toEqual([0, 50, 150, 350, 750]);
  });
});
