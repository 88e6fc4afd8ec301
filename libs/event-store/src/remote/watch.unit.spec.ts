import { FakeClock, settleTurns, type Recorded } from '@svc/kernel';
import { createInbox } from './inbox.ts';
import { createWatching } from './watch.ts';

/** A store whose events have the positions 1, 2, 3 …, and all that reads it. */
function model() {
  const clock = new FakeClock();
  const events: string[] = [];
  const looks: bigint[] = [];
  let heads = 0;
  const state = { isDown: false };
  const fails = async (): Promise<void> => {
    if (state.isDown) throw new Error('away');
  };
  const watching = createWatching({
    clock,
    async newest() {
      await fails();
      heads += 1;
      return BigInt(events.length);
    },
    async after(position) {
      looks.push(position);
      await fails();
      const found = events.slice(Number(position), Number(position) + 10);
      const to = position + BigInt(found.length);
      return { appended: found.map((stream) => [stream, 0n] as [string, bigint]), position: to, isEnd: found.length < 10 };
    },
  });
  const seen: string[] = [];
  return {
    ...{ clock, events, looks, watching, seen, state },
    reads: () => heads + looks.length,
    watch: () => watching.watch((stream) => void seen.push(stream)),
    /** A subscription from this position, which receives what `receive` is called for. */
    subscribe(from: number) {
      const stopped = new AbortController();
      const inbox = createInbox({ from: BigInt(from), handle: async () => undefined, clock, stopped: stopped.signal });
      let next = from;
      const received = { receive: (): void => undefined, isReceiving: true };
      void watching.reported(async (signal, sink) => {
        received.receive = () => {
          for (; next < events.length; next += 1) {
            sink.put({ stream: events[next], revision: 0n, position: BigInt(next + 1), bytes: 1 } as Recorded);
            sink.advance(BigInt(next + 1));
          }
          sink.setLive(true);
        };
        received.receive();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      })(stopped.signal, inbox);
      return { receive: () => received.receive(), end: () => stopped.abort() };
    },
  };
}

test.each([1, 100, 1_000])('%d watches cost one look each 250 ms, and none when they have ended', async (count) => {
  const { clock, events, reads, watch, seen } = model();
  const watches = Array.from({ length: count }, watch);
  await Promise.all(watches.map(({ begun }) => begun));
  expect(reads()).toBe(1);
  await clock.advance(1_000);
  expect(reads()).toBe(1 + 4);
  events.push('a', 'b');
  await clock.advance(250);
  expect(seen).toHaveLength(2 * count);
  expect(reads()).toBe(1 + 5);
  for (const { stop } of watches) stop();
  await clock.advance(10_000);
  expect(reads()).toBe(1 + 5);
});

test('a subscription of the process that has caught up reports, and nothing is read besides', async () => {
  const { events, reads, watch, seen, clock, subscribe } = model();
  events.push('old');
  const subscription = subscribe(0);
  await watch().begun;
  events.push('new');
  subscription.receive();
  expect(seen).toEqual(['new']);
  await clock.advance(10_000);
  expect(reads()).toBe(0);
});

test('looks go on where a subscription has ended, and end where one has what they would read', async () => {
  const { events, looks, watch, seen, clock, subscribe } = model();
  const first = subscribe(0);
  await watch().begun;
  events.push('a');
  first.receive();
  first.end();
  await settleTurns();
  events.push('b');
  await clock.advance(250);
  expect([seen, looks]).toEqual([['a', 'b'], [1n]]);
  // Another replica has moved the checkpoint: what this one subscribes after, it has not seen yet.
  events.push('c', 'd');
  const second = subscribe(3);
  await clock.advance(250);
  expect(seen.toSorted()).toEqual(['a', 'b', 'c', 'd', 'd']);
  await clock.advance(250);
  const before = looks.length;
  events.push('e');
  second.receive();
  await clock.advance(10_000);
  expect([seen.at(-1), looks.length]).toEqual(['e', before]);
});

test('a look that fails is repeated from the same position; many events take several reads', async () => {
  const { events, looks, watch, seen, clock, state } = model();
  await watch().begun;
  state.isDown = true;
  events.push(...Array.from({ length: 25 }, (_, n) => `s${n}`));
  await clock.advance(500);
  expect(seen).toEqual([]);
  state.isDown = false;
  await clock.advance(250);
  expect(seen).toEqual(events);
  expect(looks.slice(-3)).toEqual([0n, 10n, 20n]);
});

test('a watch of a store that does not answer begins when it does', async () => {
  const { watch, clock, state, events, seen } = model();
  state.isDown = true;
  let hasBegun = false;
  void watch().begun.then(() => (hasBegun = true));
  await clock.advance(1_000);
  expect(hasBegun).toBe(false);
  state.isDown = false;
  await clock.advance(250);
  expect(hasBegun).toBe(true);
  events.push('a');
  await clock.advance(250);
  expect(seen).toEqual(['a']);
});
