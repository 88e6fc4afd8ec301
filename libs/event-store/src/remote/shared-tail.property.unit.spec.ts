import { createIds, FakeClock, settleTurns, type Recorded } from '@svc/kernel';
import { seeded } from '@svc/kernel/testing/seeded';
import { SILENT, shareTail, type Sink } from './shared-tail.ts';

const SEEDS = Array.from({ length: 200 }, (_, n) => n + 1);
const STEPS = 300;
const READERS = 4;
const ids = createIds(new FakeClock());

interface Subscription {
  sink: Sink;
  signal: AbortSignal;
  isWaiting: boolean;
  breakOff(why: Error): void;
}

/** A store whose subscriptions advance at random, each at its own pace, and break; readers that are slow, stop and return. */
async function run(seed: number) {
  const random = seeded(seed);
  const below = (n: number): number => Math.floor(random() * n);
  let newest = 0;
  const subscriptions: Subscription[] = [];
  const remove = (one: Subscription): void => void (subscriptions.includes(one) && subscriptions.splice(subscriptions.indexOf(one), 1));

  const subscribe = shareTail(
    (signal, sink) =>
      new Promise((_, reject) => {
        const one = { sink, signal, isWaiting: false, breakOff: (why: Error) => (remove(one), reject(why)) };
        signal.addEventListener('abort', () => one.breakOff(signal.reason as Error));
        subscriptions.push(one);
      }),
  );

  function advance(one: Subscription, count: number): void {
    for (let n = 0; n < count && !one.isWaiting && subscriptions.includes(one); n += 1) {
      const position = one.sink.position() + 1n;
      if (position > BigInt(newest)) return one.sink.setLive(true);
      one.sink.put({ id: ids.next(), position, bytes: 100 } as Recorded);
      one.sink.advance(position);
      if (!one.sink.isFull()) continue;
      one.isWaiting = true;
      void one.sink.untilFree(one.signal).then(() => (one.isWaiting = false));
    }
  }

  const readers = Array.from({ length: READERS }, () => {
    const got: bigint[] = [];
    let [held, position] = [0, 0n];
    let waiting = (): void => undefined;
    let giveUp = (_why?: unknown): void => undefined;
    let isReading = false;
    const inbox: Sink = {
      position: () => position,
      isFull: () => held >= 5,
      untilFree: (signal) => new Promise((resolve) => ((waiting = resolve), signal.addEventListener('abort', () => resolve()))),
      put: (event) => void (got.push(event.position), (held += 1)),
      advance: (to) => void (position = to),
      setLive: () => undefined,
    };
    return {
      got,
      inbox,
      isReading: () => isReading,
      giveUp: (why?: unknown) => giveUp(why),
      take: () => ((held = 0), waiting()),
      read(): void {
        if (isReading) return;
        isReading = true;
        const controller = new AbortController();
        giveUp = (why) => controller.abort(why);
        subscribe(controller.signal, inbox).catch(() => (isReading = false));
      },
    };
  });
  const one = <T>(of: T[]): T | undefined => of[below(of.length)];

  const steps: (() => unknown)[] = [
    () => (newest += below(4)),
    () => subscriptions.length > 0 && advance(subscriptions[below(subscriptions.length)] as Subscription, below(6)),
    () => subscriptions.forEach((each) => advance(each, 3)),
    () => one(readers)?.take(),
    () => readers.forEach(({ take }) => take()),
    () => one(readers)?.read(),
    () => random() < 0.2 && one(readers)?.giveUp(),
    () => random() < 0.05 && one(readers)?.giveUp(SILENT),
    () => random() < 0.1 && one(subscriptions)?.breakOff(new Error('broken')),
  ];
  for (let n = 0; n < STEPS; n += 1) {
    one(steps)?.();
    if (random() < 0.5) await settleTurns();
  }

  const isSettled = (): boolean => subscriptions.length === 1 && readers.every(({ inbox }) => inbox.position() === BigInt(newest));
  for (let n = 0; n < 100 && (n < 4 || !isSettled()); n += 1) {
    for (const reader of readers) {
      reader.read();
      reader.take();
    }
    for (const each of [...subscriptions]) advance(each, 100);
    await settleTurns();
  }
  const left = subscriptions.length;
  for (const reader of readers) reader.giveUp();
  await settleTurns();
  const stuck = readers.filter(({ isReading }) => isReading()).length;
  return { newest, got: readers.map(({ got }) => got.map(Number)), left, stuck, open: subscriptions.length };
}

test('every reader gets every event once and in order, at the end from one subscription, and nothing is left over', async () => {
  for (const seed of SEEDS) {
    const { newest, got, left, stuck, open } = await run(seed);
    const all = Array.from({ length: newest }, (_, n) => n + 1);
    expect({ seed, got, left, stuck, open }).toEqual({ seed, got: Array(READERS).fill(all), left: 1, stuck: 0, open: 0 });
  }
});
