import { createIds, FakeClock, OutcomeUnknown, prefixed, systemClock, type NewEvent, type Recorded } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import type { EventStore } from '../port.ts';
import { EmulatorProcess } from '../testing/emulator-process.ts';
import { openEventStoreDb } from './open.ts';

describe('EventStoreDB adapter with a failing server', () => {
  const ids = createIds(systemClock);
  let server: EmulatorProcess;
  let opened: ReturnType<typeof openEventStoreDb>;
  let account: string;
  /** The delay of slow handlers. */
  let isHeld = false;
  /** Advances a clock that stops while this process is suspended. */
  let moving: NodeJS.Timeout | undefined;

  beforeEach(async () => {
    server = new EmulatorProcess();
    await server.start(1_000);
    opened = open();
    account = prefixed('acct', ids.next());
  });
  afterEach(async () => {
    isHeld = false;
    server.signal('SIGCONT');
    await opened.close();
    clearInterval(moving);
    await server.remove();
  });

  const warned: string[] = [];
  const logger = { warn: (_: object, message: string) => void warned.push(message) };
  const open = (clock = systemClock) => openEventStoreDb({ url: server.url, namespace: 'faults', clock, logger });
  const event = (data: object): NewEvent => ({ id: ids.next(), type: 'Happened', data, metadata: { v: 1, account, env: 'test' } });
  const newStream = (): string => `invoice-test.${account}.${prefixed('inv', ids.next())}`;

  /** Repeats an append without an answer, with the same ids at the same revision, until it has one. */
  const appendDecided: EventStore['append'] = (...asked) =>
    opened.store.append(...asked).catch((error: unknown) => {
      if (error instanceof OutcomeUnknown) return appendDecided(...asked);
      throw error;
    });

  /** Appends continuously, each writer to its own stream, until stopped. */
  function write(writers: number) {
    const streams = Array.from({ length: writers }, newStream);
    const acknowledged = new Set<string>();
    let isOver = false;
    const errors: unknown[] = [];
    async function writer(stream: string): Promise<void> {
      for (let at: bigint | 'none' = 'none'; !isOver;) {
        const next = [event({}), event({})];
        const { revision }: { revision: bigint } = await appendDecided(stream, at, next);
        at = revision;
        for (const { id } of next) acknowledged.add(id);
      }
    }
    const done = Promise.all(streams.map((stream) => writer(stream).catch((error: unknown) => errors.push(error))));
    return {
      acknowledged,
      errors,
      /** The events stored at the end. */
      async stop(): Promise<Recorded[]> {
        isOver = true;
        await done;
        return (await Promise.all(streams.map((stream) => opened.store.read(stream)))).flat();
      },
    };
  }

  function subscribe() {
    const got: Recorded[] = [];
    opened.store.subscribe('start', async ({ events }) => void got.push(...events));
    return got;
  }

  const faults: Record<string, () => Promise<void>> = {
    async 'kill -9 and a restart'() {
      await server.end('SIGKILL');
      await systemClock.sleep(700);
      await server.start();
    },
    async 'SIGTERM and a restart'() {
      await server.end('SIGTERM');
      await systemClock.sleep(300);
      await server.start();
    },
    async 'standing still for 6 s'() {
      server.signal('SIGSTOP');
      await systemClock.sleep(6_000);
      server.signal('SIGCONT');
    },
  };

  test.each(Object.keys(faults))(
    '%s: no acknowledged event is lost or duplicated, appends and subscriptions resume by themselves',
    async (fault) => {
      const got = subscribe();
      const writing = write(16);
      await until(() => writing.acknowledged.size > 200);
      await faults[fault]?.();
      const before = writing.acknowledged.size;
      await until(() => writing.acknowledged.size > before + 200);
      const stored = await writing.stop();

      expect(writing.errors).toEqual([]);
      expect(stored.map(({ id }) => id).sort()).toEqual([...writing.acknowledged].sort());
      await until(() => got.length >= stored.length);
      expect(got).toEqual([...stored].sort((a, b) => Number(a.position - b.position)));
    },
  );

  test('without a server head throws, then reads do, then an append ends unknown, and the same append succeeds afterwards', async () => {
    const stream = newStream();
    const events = [event({})];
    await opened.store.append(stream, 'none', events);
    await opened.close();
    const clock = new FakeClock(systemClock.now());
    opened = open(clock);
    expect(await opened.check()).toBe(true);
    await server.end('SIGKILL');
    moving = setInterval(() => void clock.advance(50, async () => undefined), 10);

    const lost = [event({ n: 2 })];
    const ended: [string, unknown][] = [];
    const note = (name: string, work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => ended.push([name, 'done']),
        (error: unknown) => ended.push([name, error]),
      );
    const { append, read, head } = opened.store;
    await Promise.all([note('append', append(stream, 0n, lost)), note('read', read(stream)), note('head', head())]);
    expect(ended).toEqual([
      ['head', expect.objectContaining({ code: 'service_unavailable' })],
      ['read', expect.objectContaining({ code: 'service_unavailable' })],
      ['append', expect.any(OutcomeUnknown)],
    ]);
    expect(await opened.check()).toContain('does not answer');

    await server.start();
    await until(async () => (await opened.check()) === true);
    expect(await appendDecided(stream, 0n, lost)).toMatchObject({ revision: 1n });
    expect(await appendDecided(stream, 'none', events)).toMatchObject({ revision: 0n });
  });

  test('a subscription that starts before the server gets everything', async () => {
    await server.end('SIGTERM');
    const got = subscribe();
    await systemClock.sleep(300);
    expect(await opened.check()).not.toBe(true);
    await server.start();
    await until(async () => (await opened.check()) === true);
    await opened.store.append(newStream(), 'none', [event({})]);
    await until(() => got.length === 1);
  });

  test('a handler slower than the writers gets every event once and in order, and does not delay other subscriptions', async () => {
    const slow: Recorded[] = [];
    isHeld = true;
    opened.store.subscribe('start', async ({ events }) => {
      await until(() => !isHeld || events.length === 0);
      slow.push(...events);
    });
    const quick = subscribe();
    for (let n = 0; n < 30; n += 1)
      await opened.store.append(
        newStream(),
        'none',
        Array.from({ length: 200 }, () => event({})),
      );
    await until(() => quick.length === 6_000);
    isHeld = false;
    await until(() => slow.length >= 6_000);
    expect(slow.map(({ id }) => id)).toEqual(quick.map(({ id }) => id));
  });

  test('a process that is blocked for half a second keeps its subscriptions, while 300 events arrive', async () => {
    const got = subscribe();
    await opened.store.append(newStream(), 'none', [event({})]);
    await until(() => got.length === 1);
    warned.length = 0;
    const appends = Array.from({ length: 300 }, () => opened.store.append(newStream(), 'none', [event({ text: 'x'.repeat(1_500) })]));
    await systemClock.sleep(20);
    for (const end = performance.now() + 500; performance.now() < end;);
    await Promise.all(appends);
    await until(() => got.length === 301);
    expect(warned).toEqual([]);
  });

  test('close waits for the appends in flight', async () => {
    const stream = newStream();
    const answered: string[] = [];
    void opened.store.append(stream, 'none', [event({})]).then(() => answered.push('appended'));
    await opened.close();
    expect(answered).toEqual(['appended']);
    opened = open();
    expect(await opened.store.read(stream)).toHaveLength(1);
  });
});
