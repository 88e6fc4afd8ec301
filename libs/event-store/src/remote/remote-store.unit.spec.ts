import {
  Conflict,
  createIds,
  Denied,
  FakeClock,
  OutcomeUnknown,
  settleTurns,
  type NewEvent,
  type Position,
  type Recorded,
} from '@svc/kernel';
import { remoteStore, type Verbs } from './remote-store.ts';

const clock = new FakeClock();
const ids = createIds(clock);
const event = (): NewEvent => ({ id: ids.next(), type: 'Happened', data: {}, metadata: { v: 1, account: 'acct_1', env: 'test' } });
const stored = (): Recorded => ({ ...event(), stream: 'a-test.x.1', revision: 0n, recordedAt: 0, bytes: 2, position: 1n });
const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('no answer'))));

/** A protocol that fails, except as the test says. */
function remote(verbs: Partial<Verbs>) {
  const fails = (): Promise<never> => Promise.reject(new Error('not asked for'));
  const all: Verbs = {
    read: fails,
    tail: fails,
    append: fails,
    newest: fails,
    after: fails,
    newestAt: fails,
    subscribe: never,
    isFinal: () => false,
    ...verbs,
  };
  return remoteStore(all, clock, { warn: () => undefined });
}

/** The result and its time, in ms from now. */
async function outcome(work: Promise<unknown>): Promise<{ ms: number; is: unknown }> {
  const start = clock.now();
  let found: { ms: number; is: unknown } | undefined;
  const settled = (is: unknown): void => void (found = { ms: clock.now() - start, is });
  work.then(settled, settled);
  await clock.advance(20_000);
  if (!found) throw new Error('it never ended');
  return found;
}

describe('remote store', () => {
  describe('head', () => {
    test('one read is in flight; callers meanwhile share the next, since they may have written after it began', async () => {
      const reads: ((position: Position) => void)[] = [];
      const { store } = remote({ newest: () => new Promise((resolve) => reads.push(resolve)) });
      const first = store.head();
      const others = [store.head(), store.head()];
      await settleTurns();
      expect(reads).toHaveLength(1);
      reads[0]?.(5n);
      expect(await first).toBe(5n);
      await settleTurns();
      expect(reads).toHaveLength(2);
      reads[1]?.(7n);
      expect(await Promise.all(others)).toEqual([7n, 7n]);
      const last = store.head();
      await settleTurns();
      expect(reads).toHaveLength(3);
      reads[2]?.(8n);
      expect(await last).toBe(8n);
    });

    test('without an answer every waiting caller gets an error after 2 s, all later calls at once, until the server answers again', async () => {
      let isDown = true;
      const { store, check } = remote({ newest: (signal) => (isDown ? never(signal) : Promise.resolve(9n)) });
      const [first, second] = [store.head(), store.head()];
      const refused = { ms: 2_000, is: expect.objectContaining({ code: 'service_unavailable' }) as unknown };
      expect(await Promise.all([outcome(first), outcome(second)])).toEqual([refused, refused]);
      expect((await outcome(check())).is).toContain('does not answer');
      const away = { ms: 0, is: expect.objectContaining({ code: 'service_unavailable', retryAfter: 3 }) as unknown };
      expect([await outcome(store.head()), await outcome(store.read('s')), await outcome(store.append('s', 'none', [event()]))]).toEqual([
        away,
        away,
        away,
      ]);
      isDown = false;
      await clock.advance(2_500);
      expect(await store.head()).toBe(9n);
      expect(await check()).toBe(true);
    });
  });

  describe('read', () => {
    test('is retried until it succeeds', async () => {
      let tries = 0;
      const { store } = remote({ read: async () => ((tries += 1) < 4 ? Promise.reject(new Error('away')) : [stored()]) });
      expect((await outcome(store.read('a-test.x.1'))).is).toHaveLength(1);
    });

    test('fails after 5 s, or at once when a repeat would fail alike', async () => {
      const hopeless = new Error('no permission');
      const { store } = remote({ read: never, newest: async () => 0n });
      expect(await outcome(store.read('s'))).toMatchObject({ ms: 5_000, is: { code: 'service_unavailable', retryAfter: 1 } });
      const failing = remote({ read: () => Promise.reject(hopeless), isFinal: (error) => error === hopeless });
      expect(await outcome(failing.store.read('s'))).toEqual({ ms: 0, is: hopeless });
    });

    test('that is under way when the server has answered nothing for 2 s is refused then', async () => {
      const away = { ms: 2_000, is: { code: 'service_unavailable', retryAfter: 3 } };
      expect(await outcome(remote({ read: never, newest: never }).store.read('s'))).toMatchObject(away);
    });

    test('of no events sends no request', async () => {
      expect(await remote({}).store.read('s', 0n, 0)).toEqual([]);
    });
  });

  describe('append', () => {
    test('that the server denies the user fails at once and is certain not to be done', async () => {
      const denied = new Denied({ server: 'S', user: 'u', right: 'write', code: 7 });
      const { store } = remote({ append: () => Promise.reject(denied) });
      expect(await outcome(store.append('a-test.x.1', 'none', [event()]))).toEqual({ ms: 0, is: denied });
    });

    test('that fails for good after a try without an answer has an unknown outcome: the first may have been done', async () => {
      const tries = [new Error('away'), new Denied({ server: 'S', user: 'u', right: null, code: 16 })];
      const { store } = remote({ append: () => Promise.reject(tries.shift() ?? new Error('asked too often')) });
      expect((await outcome(store.append('a-test.x.1', 'none', [event()]))).is).toBeInstanceOf(OutcomeUnknown);
    });

    test('is sent again, with the same events at the same revision, until it has an answer', async () => {
      const sent: unknown[] = [];
      const { store } = remote({
        append: (signal, asked) => {
          sent.push(asked);
          return sent.length < 3 ? never(signal) : Promise.resolve(4n);
        },
      });
      const events = [event()];
      const { ms, is } = await outcome(store.append('a-test.x.1', 3n, events));
      expect(is).toEqual({ revision: 4n, bytes: 2 });
      expect(ms).toBeGreaterThanOrEqual(4_000);
      const asked = { stream: 'a-test.x.1', expected: 3n, events, encoded: [{ data: '{}', bytes: 2 }] };
      expect(sent).toEqual([asked, asked, asked]);
    });

    test('has an unknown outcome after 10 s without an answer', async () => {
      const { ms, is } = await outcome(remote({ append: never }).store.append('s', 'none', [event()]));
      expect(is).toBeInstanceOf(OutcomeUnknown);
      expect(ms).toBeGreaterThan(9_000);
      expect(ms).toBeLessThanOrEqual(10_000);
    });

    test('that can never be stored is rejected at once', async () => {
      const { ms, is } = await outcome(remote({}).store.append('s', 'none', []));
      expect([ms, is]).toEqual([0, expect.any(RangeError)]);
    });

    test('of large ones begin in turn: a small one of another account is sent at once, and none is sent twice', async () => {
      const sent: string[] = [];
      const { store } = remote({
        append: async (_, { stream }) => {
          sent.push(stream);
          await clock.sleep(1_500);
          return 0n;
        },
      });
      const large = { ...event(), data: { text: 'x'.repeat(400_000) } };
      const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((stream) => store.append(stream, 'none', [large])));
      void store.append('small', 'none', [event()]);
      await settleTurns();
      expect(sent).toEqual(['a', 'b', 'small']);
      expect((await outcome(all)).is).toHaveLength(5);
      expect(sent).toEqual(['a', 'b', 'small', 'c', 'd', 'e']);
    });

    test('of a large one is refused at once while the server is away, though others have all turns', async () => {
      const { store } = remote({ append: never, newest: never });
      const large = (): NewEvent => ({ ...event(), data: { text: 'x'.repeat(300_000) } });
      const hung = ['a', 'b'].map((stream) => store.append(stream, 'none', [large()]).catch(() => undefined));
      await clock.advance(3_000);
      const away = expect.objectContaining({ code: 'service_unavailable', retryAfter: 3 }) as unknown;
      expect(await outcome(store.append('c', 'none', [large()]))).toEqual({ ms: 0, is: away });
      await Promise.all(hung);
    });

    test('a conflict is thrown when its cause can be read, and after 2 s in any case', async () => {
      const conflict = new Conflict('s', 'none', 6n);
      const asked: unknown[] = [];
      let isReadable = false;
      const { store } = remote({
        append: () => Promise.reject(conflict),
        newest: async () => 0n,
        read: async (_, ...read) => (asked.push(read), isReadable ? [stored()] : []),
      });
      clock.after(100, () => (isReadable = true));
      const { ms, is } = await outcome(store.append('s', 'none', [event()]));
      expect(is).toBe(conflict);
      expect(ms).toBeGreaterThanOrEqual(100);
      expect(ms).toBeLessThan(120);
      expect(asked[0]).toEqual(['s', { from: 6n, max: 1, bytes: Infinity }]);
      isReadable = false;
      expect(await outcome(store.append('s', 'none', [event()]))).toMatchObject({ ms: 2_000, is: conflict });
    });

    test('a conflict with a stream that does not exist has nothing to read', async () => {
      const conflict = new Conflict('s', 3n, 'none');
      expect(await outcome(remote({ append: () => Promise.reject(conflict) }).store.append('s', 3n, [event()]))).toEqual({
        ms: 0,
        is: conflict,
      });
    });
  });

  test('drain stops the subscriptions and waits for the appends in flight', async () => {
    let decide = (): void => undefined;
    let isStopped = false;
    const { store, drain } = remote({
      append: () => new Promise((resolve) => (decide = () => resolve(0n))),
      subscribe: (signal) => never(signal).finally(() => (isStopped = true)),
    });
    store.subscribe('start', async () => undefined);
    const appended = store.append('s', 'none', [event()]);
    let isDrained = false;
    void drain().then(() => (isDrained = true));
    await settleTurns();
    expect([isStopped, isDrained]).toEqual([true, false]);
    decide();
    await appended;
    await settleTurns();
    expect(isDrained).toBe(true);
  });
});
