import { createIds, FakeClock, settleTurns, type Position, type Recorded } from '@svc/kernel';
import { SILENT, shareTail, type Sink, type Subscribe } from './shared-tail.ts';

const ids = createIds(new FakeClock());

/** A store of positions 1, 2, … that sends each to every subscription, and counts the subscriptions. */
function store() {
  const open = new Set<{ sink: Sink; signal: AbortSignal; breakOff(why: Error): void; isDumb?: boolean }>();
  let newest = 0;
  let sent = 0;
  const made: Position[] = [];

  function send(sink: Sink, position: number): void {
    sent += 1;
    sink.put({ id: ids.next(), position: BigInt(position), bytes: 100 } as Recorded);
    sink.advance(BigInt(position));
  }
  const subscribe = shareTail((signal, sink) => {
    made.push(sink.position());
    return new Promise((_, reject) => {
      const subscription = { sink, signal, breakOff: reject };
      signal.addEventListener('abort', () => (open.delete(subscription), reject(signal.reason as Error)));
      open.add(subscription);
    });
  });
  return {
    subscribe,
    open,
    made,
    sent: () => sent,
    /** Sends the missing events to one of the subscriptions, and that it is live. */
    catchUp(subscription = [...open].at(-1)): void {
      const { sink, signal } = subscription as { sink: Sink; signal: AbortSignal };
      for (let at = Number(sink.position()) + 1; at <= newest && !signal.aborted && !sink.isFull(); at += 1) send(sink, at);
      if (!signal.aborted && sink.position() === BigInt(newest)) sink.setLive(true);
    },
    write(count = 1): void {
      for (let n = 0; n < count; n += 1) {
        newest += 1;
        for (const { sink, isDumb } of [...open])
          if (!isDumb && !sink.isFull() && sink.position() === BigInt(newest - 1)) send(sink, newest);
      }
    },
  };
}

/** A subscription with capacity for so many events, until it takes what has arrived. */
function subscription(subscribe: Subscribe, { from = 0n, capacity = 1_000 }: { from?: Position; capacity?: number } = {}) {
  const stopping = new AbortController();
  const got: number[] = [];
  let held = 0;
  let position = from;
  let live = false;
  let ended: unknown;
  let taken = (): void => undefined;
  const inbox: Sink = {
    position: () => position,
    isFull: () => held >= capacity,
    untilFree: () => new Promise((resolve) => (taken = resolve)),
    put: (event) => void (got.push(Number(event.position)), (held += 1)),
    advance: (to) => void (position = to),
    setLive: (is) => void (live = is),
  };
  subscribe(stopping.signal, inbox).catch((why: unknown) => (ended = why));
  return {
    inbox,
    isLive: () => live,
    got,
    stop: (why?: unknown) => stopping.abort(why),
    ended: () => ended,
    take(): void {
      held = 0;
      taken();
    },
  };
}

/** A reader that has reached the end of the store. */
function caughtUp(server: ReturnType<typeof store>, options?: Parameters<typeof subscription>[1]) {
  const made = subscription(server.subscribe, options);
  server.catchUp();
  return made;
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

describe('the shared tail', () => {
  test('at the end of the store one subscription serves all readers, and each gets every event once', () => {
    const server = store();
    server.write(3);
    const subscriptions = [0n, 2n, 3n].map((from) => caughtUp(server, { from }));
    expect(server.open.size).toBe(1);
    const before = server.sent();
    server.write(4);
    expect(server.sent() - before).toBe(4);
    expect(subscriptions.map(({ got }) => got)).toEqual([upTo(7), [3, 4, 5, 6, 7], [4, 5, 6, 7]]);
    expect(subscriptions.map(({ inbox, isLive }) => [inbox.position(), isLive()])).toEqual(Array(3).fill([7n, true]));
  });

  test('a reader behind the tail reads on alone until it has reached it; one ahead gets nothing twice', () => {
    const server = store();
    const first = caughtUp(server);
    const [tail] = server.open;
    if (tail) tail.isDumb = true; // one reads slower than the other
    server.write(2);
    const ahead = caughtUp(server);
    expect(server.open.size).toBe(1);
    if (tail) tail.isDumb = false;
    server.catchUp(tail);
    server.write();
    expect([first.got, ahead.got]).toEqual([upTo(3), upTo(3)]);

    const behind = subscription(server.subscribe, { from: 1n });
    const [, own] = [...server.open];
    own?.sink.setLive(true); // live, as the server reports, before the last has arrived
    expect(server.open.size).toBe(2);
    server.catchUp(own);
    expect(server.open.size).toBe(1);
    server.write();
    expect(behind.got).toEqual([2, 3, 4]);
  });

  test('a reader that stops leaves it to the others; it ends with the last one', async () => {
    const server = store();
    const subscriptions = [1, 2].map(() => caughtUp(server));
    subscriptions[0]?.stop();
    await settleTurns();
    server.write();
    expect(subscriptions[0]?.ended()).toBeDefined();
    expect(subscriptions.map(({ got }) => got)).toEqual([[], [1]]);
    subscriptions[1]?.stop();
    await settleTurns();
    expect([server.open.size, subscriptions[1]?.ended()]).toEqual([0, expect.anything()]);
  });

  test('late events of a subscription that was ended move no reader', async () => {
    const server = store();
    const first = caughtUp(server);
    server.write(2);
    const behind = subscription(server.subscribe);
    const [, own] = [...server.open];
    own?.sink.setLive(true);
    behind.stop();
    for (const position of [1n, 2n]) {
      own?.sink.put({ id: ids.next(), position, bytes: 100 } as Recorded);
      own?.sink.advance(position);
    }
    await settleTurns();
    server.write();
    expect(behind.ended()).toBeDefined();
    expect([behind.got, behind.inbox.position(), first.got]).toEqual([[], 0n, upTo(3)]);
  });

  test('when it breaks off every reader gets the error, and the next ones have a new one', async () => {
    const server = store();
    const subscriptions = [1, 2, 3].map(() => caughtUp(server));
    const why = new Error('the server went away');
    const [tail] = server.open;
    tail?.breakOff(why);
    server.open.clear();
    await settleTurns();
    expect(subscriptions.map(({ ended }) => ended())).toEqual([why, why, why]);
    const again = caughtUp(server);
    server.write();
    expect([again.got, server.open.size]).toEqual([[1], 1]);
  });

  test('a reader that has stopped already creates none', async () => {
    const server = store();
    const why = new Error('stopped');
    await expect(server.subscribe(AbortSignal.abort(why), subscription(server.subscribe).inbox)).rejects.toBe(why);
    expect(server.made).toHaveLength(1);
  });

  test('when one reader finds it silent all leave it', async () => {
    const server = store();
    const subscriptions = [1, 2].map(() => caughtUp(server));
    const [dumb] = server.open;
    subscriptions[1]?.stop(SILENT);
    await settleTurns();
    expect(subscriptions.map(({ ended }) => ended())).toEqual([SILENT, SILENT]);
    expect(dumb?.signal.aborted).toBe(true);
  });

  test('a slow reader gets a subscription of its own from its position while the others continue, and returns when it has caught up', async () => {
    const server = store();
    const slow = caughtUp(server, { capacity: 2 });
    const fast = caughtUp(server);
    server.write(2);
    expect([server.open.size, server.made.at(-1), slow.isLive()]).toEqual([2, 2n, false]);
    const [tail, own] = [...server.open];
    server.write(3);
    expect([slow.got, fast.got]).toEqual([upTo(2), upTo(5)]);
    expect([own?.sink.isFull(), tail?.sink.isFull()]).toEqual([true, false]);

    for (let n = 0; n < 2; n += 1) {
      slow.take();
      server.catchUp(own);
    }
    expect(server.open.size).toBe(1);
    server.write();
    expect([slow.got, fast.got]).toEqual([upTo(6), upTo(6)]);
  });

  test('a slow reader without history stays alone until it has capacity, instead of a subscription for each event', () => {
    const server = store();
    const slow = caughtUp(server, { capacity: 2 });
    const fast = caughtUp(server);
    server.write(2);
    for (let n = 0; n < 10; n += 1) {
      server.catchUp();
      server.write();
    }
    expect([server.made.length, slow.got, fast.got]).toEqual([3, upTo(2), upTo(12)]);
  });

  test('a subscription that waits for capacity is no target for others', async () => {
    const server = store();
    const slow = caughtUp(server, { capacity: 2 });
    server.write(2);
    const [own] = server.open;
    expect(own?.sink.isFull()).toBe(true);
    let isRoom = false;
    void own?.sink.untilFree(new AbortController().signal).then(() => (isRoom = true));
    const other = caughtUp(server, { from: 2n });
    expect(server.open.size).toBe(2);
    server.write();
    expect(other.got).toEqual([3]);
    slow.take();
    await settleTurns();
    expect(isRoom).toBe(true);
    server.catchUp(own);
    slow.take();
    server.write();
    expect(slow.got).toEqual(upTo(4));
    expect(server.open.size).toBe(1);
  });
});
