import { createIds, FakeClock, settleTurns, type Position, type Recorded } from '@svc/kernel';
import type { Batch } from '../port.ts';
import { followBySubscription } from './subscribe.ts';
import type { Sink } from './shared-tail.ts';

describe('a reader over server subscriptions', () => {
  let clock: FakeClock;
  let head: Position;
  /** Every subscription that was opened. */
  let made: { at: number; from: Position; inbox: Sink; signal: AbortSignal; breakOff(error?: Error): void }[];
  let batches: Batch[];
  let stops: (() => Promise<void>)[];
  /** What the handler waits for. */
  let held: Promise<void> | undefined;

  beforeEach(() => {
    clock = new FakeClock();
    [head, made, batches, stops, held] = [0n, [], [], [], undefined];
  });
  afterEach(async () => {
    await Promise.all(stops.map((stop) => stop()));
  });

  async function subscribe(from: Position = 0n) {
    const ids = createIds(clock);
    stops.push(
      followBySubscription(
        {
          head: async () => head,
          clock,
          logger: { warn: () => undefined },
          subscribe: (signal, inbox) =>
            new Promise((resolve, reject) => {
              signal.addEventListener('abort', () => reject(new Error('aborted')));
              const breakOff = (error?: Error): void => (error ? reject(error) : resolve());
              made.push({ at: clock.now(), from: inbox.position(), inbox, signal, breakOff });
            }),
        },
        from,
        async (batch) => {
          await held;
          batches.push(batch);
        },
      ),
    );
    await settleTurns();
    const self = {
      isFull: () => made.at(-1)?.inbox.isFull(),
      put: (...positions: number[]): void => self.putLarge(100, ...positions),
      putLarge(bytes: number, ...positions: number[]): void {
        const inbox = made.at(-1)?.inbox as Sink;
        for (const position of positions) {
          inbox.put({ id: ids.next(), position: BigInt(position), bytes } as Recorded);
          inbox.advance(BigInt(position));
        }
      },
      advance: (position: number): void => made.at(-1)?.inbox.advance(BigInt(position)),
      live: (): void => made.at(-1)?.inbox.setLive(true),
    };
    return self;
  }
  const delivered = () => batches.map(({ events, position, caughtUp }) => [events.length, Number(position), caughtUp]);
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

  test('reports that it has caught up, also when nothing arrived', async () => {
    const store = await subscribe(7n);
    expect(delivered()).toEqual([]);
    store.live();
    await settleTurns();
    expect(delivered()).toEqual([[0, 7, true]]);
  });

  test('hands over what has arrived, at most 200 events, and reports the end of history with the last', async () => {
    const store = await subscribe();
    store.put(...upTo(450));
    store.live();
    await settleTurns();
    expect(delivered()).toEqual([
      [200, 200, false],
      [200, 400, false],
      [50, 450, true],
    ]);
  });

  test('hands over together what arrives while the handler works', async () => {
    let release = (): void => undefined;
    const store = await subscribe();
    store.live();
    await settleTurns();
    held = new Promise((resolve) => (release = resolve));
    store.put(1);
    await settleTurns();
    store.put(2);
    await settleTurns();
    store.put(3);
    release();
    await settleTurns();
    expect(delivered().slice(1)).toEqual([
      [1, 1, true],
      [2, 3, true],
    ]);
  });

  test('events of other systems move the position, at once and then at most every 10 ms; they do not delay own events', async () => {
    const store = await subscribe();
    store.live();
    await clock.advance(100);
    batches = [];
    for (const position of upTo(500)) {
      store.advance(position);
      await settleTurns(1);
    }
    expect(delivered()).toEqual([[0, 1, true]]);
    await clock.advance(10);
    expect(delivered()).toEqual([
      [0, 1, true],
      [0, 500, true],
    ]);
    store.advance(501);
    store.put(502);
    await settleTurns();
    expect(delivered().at(-1)).toEqual([1, 502, true]);
  });

  test('the position stays behind events that wait for the handler', async () => {
    const store = await subscribe();
    store.put(...upTo(201));
    store.advance(900);
    store.live();
    await settleTurns();
    expect(delivered()).toEqual([
      [200, 200, false],
      [1, 900, true],
    ]);
  });

  test('a sender waits when the inbox is full, until the handler has taken some', async () => {
    let release = (): void => undefined;
    held = new Promise((resolve) => (release = resolve));
    const store = await subscribe();
    store.put(...upTo(2_300));
    const { inbox, signal } = made[0] as (typeof made)[0];
    let hasCapacity = false;
    void inbox.untilFree(signal).then(() => (hasCapacity = true));
    await settleTurns();
    expect([inbox.isFull(), hasCapacity]).toEqual([true, false]);
    release();
    await settleTurns(50);
    expect([inbox.isFull(), hasCapacity]).toEqual([false, true]);
    expect(batches.flatMap(({ events }) => events)).toHaveLength(2_300);
  });

  test.each([
    ['an error', new Error('dropped')],
    ['its end', undefined],
  ])('after %s it subscribes again, from the last position that arrived', async (_, error) => {
    const store = await subscribe();
    store.put(1, 2);
    store.advance(5);
    made[0]?.breakOff(error);
    await clock.advance(20);
    expect(made.map(({ from }) => from)).toEqual([0n, 5n]);
    store.put(6);
    store.live();
    await settleTurns();
    expect(batches.flatMap(({ events }) => events.map(({ position }) => Number(position)))).toEqual([1, 2, 6]);
  });

  test('waits longer after each failure, at most a second, and briefly again once something has arrived', async () => {
    const store = await subscribe();
    const start = clock.now();
    for (let n = 0; n < 8; n += 1) {
      made.at(-1)?.breakOff(new Error('away'));
      await clock.advance(1_000);
    }
    const waits = made.map(({ at }, n) => (n === 0 ? 0 : at - start - (n - 1) * 1_000));
    expect(waits).toEqual([0, 20, 40, 80, 160, 320, 640, 1_000, 1_000]);
    store.put(1);
    made.at(-1)?.breakOff(new Error('away'));
    const before = clock.now();
    await clock.advance(1_000);
    expect((made.at(-1)?.at ?? 0) - before).toBe(20);
  });

  describe('silence', () => {
    test('with newer events in the store: it subscribes again', async () => {
      const store = await subscribe();
      store.put(1);
      store.live();
      head = 2n;
      await clock.advance(15_100);
      expect(made[0]?.signal.aborted).toBe(true);
      expect(made[1]?.from).toBe(1n);
    });

    test('before the end of history was reported: it subscribes again', async () => {
      await subscribe(3n);
      head = 3n;
      await clock.advance(15_100);
      expect(made).toHaveLength(2);
    });

    test('without newer events is left alone', async () => {
      const store = await subscribe();
      store.put(1);
      store.live();
      head = 1n;
      await clock.advance(60_000);
      expect(made).toHaveLength(1);
    });

    test('of a sender that waits for capacity is left alone', async () => {
      held = new Promise(() => undefined);
      const store = await subscribe();
      store.put(...upTo(2_300));
      head = 9_000n;
      await clock.advance(60_000);
      expect(made).toHaveLength(1);
      stops = [];
    });
  });

  test('what waits for a slow handler is bounded in bytes, and is handed over in bounded batches', async () => {
    let release = (): void => undefined;
    held = new Promise((resolve) => (release = resolve));
    const store = await subscribe();
    store.putLarge(1_048_576, ...upTo(15));
    expect(store.isFull()).toBe(false);
    store.putLarge(1_048_576, 16);
    expect(store.isFull()).toBe(true);
    release();
    await settleTurns();
    expect(store.isFull()).toBe(false);
    expect(batches.map(({ events }) => events.length)).toEqual([4, 4, 4, 4]);
  });

  test('does not subscribe again after stop', async () => {
    await subscribe();
    await stops[0]?.();
    await clock.advance(60_000);
    expect(made).toHaveLength(1);
    expect(made[0]?.signal.aborted).toBe(true);
  });
});
