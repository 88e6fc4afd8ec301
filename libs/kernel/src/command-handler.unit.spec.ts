import { FakeClock } from './fake-clock.ts';
import { createCommandHandler } from './command-handler.ts';
import type { Decider } from './decider.ts';
import { createIds } from './ids.ts';
import { DomainError } from './domain-error.ts';
import { StateCache } from './folding.ts';
import { BYTES, memoryStreams } from './testing/memory-streams.ts';
import { accountIn, OutcomeUnknown, type Recorded } from './stream.ts';
import { atOnce, nextTurn, soon } from './turns.ts';

type Command = { add: number };
type Added = { type: 'Added'; data: { amount: number } };

const LIMIT = 100;
/** A sum that stays below a limit. */
const tally: Decider<number, Command, Added> = {
  initialState: 0,
  decide({ add }, total) {
    if (total + add > LIMIT) throw new DomainError('invalid_state', `${total} is too much already`);
    return add === 0 ? [] : [{ type: 'Added', data: { amount: add } }];
  },
  evolve: (total, { data }) => total + data.amount,
};

const decode = ({ type, data }: Recorded): Added => {
  if (type !== 'Added') throw new Error(`unknown event ${type}`);
  return { type, data: data as Added['data'] };
};

describe('command handler', () => {
  const ids = createIds(new FakeClock());
  const stream = 'tally-test.acct_1.t_1';
  const metadata = { account: 'acct_1', env: 'test' as const };
  let streams: ReturnType<typeof memoryStreams>;
  let cache: StateCache<number>;
  let decisions: number[];

  beforeEach(() => {
    streams = memoryStreams();
    cache = new StateCache();
    decisions = [];
  });

  const handler = (decider = tally) => createCommandHandler({ streams, decider, decode, versions: { Added: 2 }, ids, cache });
  const adding = (amount: number) => (state: number) => {
    decisions.push(state);
    return { add: amount };
  };
  /** Another process adds. */
  const elsewhere = (amount: number, command_id?: string): void =>
    streams.put(stream, { id: ids.next(), type: 'Added', data: { amount }, metadata: { ...metadata, v: 2, command_id } });

  test('reads, decides, appends with version and metadata, and answers the state after it', async () => {
    const command_id = ids.next();
    const handled = await handler().handle(stream, adding(5), { ...metadata, command_id });
    expect(handled).toMatchObject({ state: 5, revision: 0n, events: [{ type: 'Added', data: { amount: 5 } }] });
    expect(streams.events).toMatchObject([{ stream, type: 'Added', data: { amount: 5 }, metadata: { ...metadata, v: 2, command_id } }]);
  });

  test('passes the version to the command: 1 after the first event, 0 for an empty stream', async () => {
    const versions: number[] = [];
    const add = (_: number, version: number) => (versions.push(version), { add: 1 });
    const { load, handle } = handler();
    for (let n = 0; n < 3; n += 1) await load(stream).then(() => handle(stream, add, metadata));
    expect(versions).toEqual([0, 1, 2]);
  });

  test('makes the command again when another process appends while it is being made', async () => {
    let attempts = 0;
    const addTheSame = async (state: number) => {
      attempts += 1;
      if (attempts === 2) elsewhere(7); // the first attempt is on an empty cache
      await soon(0);
      if (state === 0) throw new DomainError('not_found', 'nothing is stored');
      return { add: state };
    };
    elsewhere(1);
    expect(await handler().handle(stream, addTheSame, metadata)).toMatchObject({ state: 16, events: [{ data: { amount: 8 } }] });
  });

  test('stores with each event the subject whose data it holds', async () => {
    const subjectOf = ({ data }: Added) => (data.amount > 1 ? 'cust_1' : undefined);
    const { handle } = createCommandHandler({ streams, decider: tally, decode, versions: { Added: 2 }, subjectOf, ids, cache });
    await handle(stream, adding(1), metadata);
    await handle(stream, adding(2), metadata);
    expect(streams.events.map((event) => event.metadata.subject)).toEqual([undefined, 'cust_1']);
  });

  test('caches the state of a stream that is used again: the third command reads nothing', async () => {
    const { handle } = handler();
    await handle(stream, adding(1), metadata);
    expect(cache.get(stream)).toBeUndefined();
    await handle(stream, adding(2), metadata);
    const reads = streams.reads;
    expect(await handle(stream, adding(3), metadata)).toMatchObject({ state: 6, revision: 2n });
    expect(streams.reads).toBe(reads);
  });

  test('waits for a turn before the first read of an empty stream only, where others have read much in this one, and sees events that others append to it', async () => {
    const { load, handle } = handler();
    let turns = 0;
    const turn = async (): Promise<void> => void (turns += 1);
    const bytes = async (): Promise<number> => 1_000_000;
    await atOnce(turn, bytes, Number);
    expect(await load(stream, turn)).toMatchObject({ state: 0, revision: 'none' });
    expect(await load(stream, turn)).toMatchObject({ state: 0, revision: 'none' });
    expect(turns).toBe(1);
    elsewhere(3);
    expect(await load(stream, turn)).toMatchObject({ state: 3, revision: 0n });
    expect(await handle(stream, adding(4), metadata, turn)).toMatchObject({ state: 7, revision: 1n });
    expect(turns).toBe(1);
  });

  test('a command that changes nothing appends nothing', async () => {
    const { handle } = handler();
    expect(await handle(stream, adding(0), metadata)).toMatchObject({ state: 0, revision: 'none', events: [] });
    expect(streams.appends).toBe(0);
  });

  test('a command that fails on an uncached stream is decided again after the stream is read', async () => {
    elsewhere(5);
    const growing: typeof tally = {
      ...tally,
      decide(command, total) {
        if (total === 0) throw new TypeError('a sum is begun first');
        return tally.decide(command, total);
      },
    };
    expect(await handler(growing).handle(stream, adding(1), metadata)).toMatchObject({ state: 6, revision: 1n });
    await expect(handler(growing).handle('tally-test.acct_1.t_2', adding(1), metadata)).rejects.toThrow('begun first');
  });

  test('a domain error appends nothing', async () => {
    await expect(handler().handle(stream, adding(LIMIT + 1), metadata)).rejects.toMatchObject({ code: 'invalid_state' });
    expect(streams.appends).toBe(0);
  });

  test('decides again on the current state after a conflict', async () => {
    const { load, handle } = handler();
    await handle(stream, adding(1), metadata);
    await load(stream);
    elsewhere(10);
    expect(await handle(stream, adding(2), metadata)).toMatchObject({ state: 13, revision: 2n });
    expect(decisions).toEqual([0, 1, 11]);
  });

  test('appends nothing when the decision after a conflict is a domain error', async () => {
    const { handle } = handler();
    await handle(stream, adding(1), metadata);
    elsewhere(LIMIT - 1);
    await expect(handle(stream, adding(2), metadata)).rejects.toMatchObject({ code: 'invalid_state' });
    expect(streams.events).toHaveLength(2);
  });

  test('throws service_unavailable after five conflicts and drops the cached state', async () => {
    const { handle } = handler();
    streams.before = () => elsewhere(1);
    await expect(handle(stream, adding(2), metadata)).rejects.toMatchObject({ code: 'service_unavailable', retryAfter: 1 });
    expect(streams.appends).toBe(5);
    expect(cache.get(stream)).toBeUndefined();
    streams.before = () => undefined;
    expect(await handle(stream, adding(2), metadata)).toMatchObject({ state: 7 });
  });

  test('four concurrent commands all succeed, one after the other', async () => {
    const { handle } = handler();
    await handle(stream, adding(1), metadata);
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => handle(stream, adding(1), metadata)));
    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'));
    expect((await handler().load(stream)).state).toBe(5);
  });

  test('rethrows OutcomeUnknown and drops the cached state', async () => {
    const { handle } = handler();
    await handle(stream, adding(1), metadata);
    streams.before = () => {
      elsewhere(10);
      throw new OutcomeUnknown('no reply in time');
    };
    await expect(handle(stream, adding(10), metadata)).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(streams.appends).toBe(2);
    streams.before = () => undefined;
    expect(await handle(stream, adding(2), metadata)).toMatchObject({ state: 13 });
    expect(decisions.at(-1)).toBe(11);
  });

  describe('a repeated command id', () => {
    const command_id = ids.next();

    test('returns the current state without a decision', async () => {
      const { handle } = handler();
      await handle(stream, adding(5), { ...metadata, command_id });
      await handle(stream, adding(1), metadata);
      decisions = [];
      expect(await handle(stream, adding(5), { ...metadata, command_id })).toMatchObject({ state: 6, revision: 1n, events: [] });
      expect(decisions).toEqual([]);
      expect(streams.events).toHaveLength(2);
    });

    test('is recognized in another process, also when that one carries it out during the decision', async () => {
      elsewhere(5, command_id);
      expect(await handler().handle(stream, adding(5), { ...metadata, command_id })).toMatchObject({ state: 5, events: [] });

      const other = ids.next();
      const { handle } = handler();
      await handle(stream, adding(1), metadata);
      elsewhere(7, other);
      expect(await handle(stream, adding(7), { ...metadata, command_id: other })).toMatchObject({ state: 13, events: [] });
      expect(streams.events).toHaveLength(3);
    });

    test('is carried out once when it is sent five times at once', async () => {
      const { handle } = handler();
      const answers = await Promise.all(Array.from({ length: 5 }, () => handle(stream, adding(5), { ...metadata, command_id })));
      expect(answers.map(({ state }) => state)).toEqual([5, 5, 5, 5, 5]);
      expect(streams.events).toHaveLength(1);
    });
  });

  describe('a cached state that is out of date', () => {
    test('causes no domain error: the command is decided again on the stored state', async () => {
      const { handle } = handler();
      await handle(stream, adding(LIMIT), metadata);
      elsewhere(-50);
      expect(await handle(stream, adding(20), metadata)).toMatchObject({ state: 70 });
    });

    test('neither accepts a stale If-Match nor rejects a current one', async () => {
      const { handle } = handler();
      const ifMatch = (wanted: number) => (_: number, version: number) => {
        if (version !== wanted) throw new DomainError('version_conflict', `is at ${version}`);
        return { add: 1 };
      };
      await handle(stream, adding(1), metadata);
      elsewhere(1);
      expect(await handle(stream, ifMatch(2), metadata)).toMatchObject({ state: 3 });
      elsewhere(1);
      await expect(handle(stream, ifMatch(3), metadata)).rejects.toMatchObject({ code: 'version_conflict' });
    });

    test('is returned neither by a command that changes nothing nor by load', async () => {
      const { handle, load } = handler();
      await handle(stream, adding(1), metadata);
      elsewhere(10);
      expect(await handle(stream, adding(0), metadata)).toMatchObject({ state: 11, revision: 1n, events: [] });
      elsewhere(10);
      expect(await load(stream)).toMatchObject({ state: 21, revision: 2n });
    });
  });

  test('the size of a cached state is the stored size of its events', async () => {
    const { handle } = handler();
    await handle(stream, adding(1), metadata);
    await handle(stream, adding(2), metadata);
    expect(cache.get(stream)?.bytes).toBe(2 * BYTES);
    cache.delete(stream);
    await handler().load(stream);
    expect(cache.get(stream)?.bytes).toBe(2 * BYTES);
  });

  describe('long streams', () => {
    const EACH = 4_000;
    const EVENTS = 80;
    const streamOf = (account: string, n: number): string => `tally-test.${account}.t_${n}`;
    /** Streams of some pieces each, in events of 4,000 bytes. */
    function longStreams(account: string, count: number): string[] {
      const names = Array.from({ length: count }, (_, n) => streamOf(account, n));
      for (const name of names)
        for (let n = 0; n < EVENTS; n += 1)
          streams.put(name, { id: ids.next(), type: 'Added', data: { amount: 1 }, metadata: { ...metadata, account, v: 2 } });
      const { read } = streams;
      streams.read = async (stream, from = 0n, max = Infinity, bytes = Infinity) =>
        (await read(stream, from, Math.min(max, Math.ceil(bytes / EACH)))).map((event) => ({ ...event, bytes: EACH }));
      return names;
    }

    test('are read for accounts in rotation: an account with many reads does not delay others', async () => {
      const many = longStreams('acct_many', 20);
      const [one] = longStreams('acct_one', 1) as [string];
      const done: string[] = [];
      const { load } = handler();
      const read = (stream: string) => load(stream, () => nextTurn(accountIn(stream))).then(({ state }) => done.push(`${stream} ${state}`));
      const all = many.map(read);
      await read(one);
      expect(done).toEqual([`${one} ${EVENTS}`]);
      await Promise.all(all);
      expect(done).toHaveLength(21);
    });

    test('are read in the turns of the caller: when a turn throws, nothing is appended', async () => {
      const [long] = longStreams('acct_1', 1) as [string];
      const asked: number[] = [];
      const turn = async (bytes: number): Promise<void> => {
        asked.push(bytes);
        if (bytes > 0) throw new DomainError('service_unavailable', 'Too many.');
      };
      await expect(handler().handle(long, adding(1), metadata, turn)).rejects.toMatchObject({ code: 'service_unavailable' });
      expect(asked[0]).toBe(0);
      expect(asked[1]).toBeLessThan(80_000);
      expect(streams.revision(long)).toBe(BigInt(EVENTS - 1));
      expect(await handler().handle(long, adding(1), metadata)).toMatchObject({ state: EVENTS + 1, revision: BigInt(EVENTS) });
    });
  });

  describe('events that hold the whole state', () => {
    type Set = { type: 'Set' | 'Added'; data: { total?: number; amount?: number } };
    /** Today's events hold the sum; older ones what was added. */
    const sums: Decider<number, Command, Set> = {
      initialState: 0,
      decide: ({ add }, total) => (add === 0 ? [] : [{ type: 'Set', data: { total: total + add } }]),
      evolve: (total, { data }) => data.total ?? total + (data.amount ?? 0),
    };
    const whole = (memory = new StateCache<number>()) =>
      createCommandHandler({
        streams,
        decider: sums,
        decode: ({ type, data }) => ({ type, data }) as Set,
        versions: { Set: 1, Added: 1 },
        ids,
        cache: memory,
        isWhole: ({ data }: Set) => data.total !== undefined,
      });
    const set = (total: number, command_id?: string): void =>
      streams.put(stream, { id: ids.next(), type: 'Set', data: { total }, metadata: { ...metadata, v: 1, command_id } });

    test('only the end of a stream is read, whatever its length', async () => {
      for (let n = 1; n <= 5_000; n += 1) set(n);
      let read = 0;
      const { tail } = streams;
      streams.read = () => Promise.reject(new Error('reads from its beginning'));
      streams.tail = async (...asked) => {
        const events = await tail(...asked);
        read += events.length;
        return events;
      };
      expect(await whole().handle(stream, adding(1), metadata)).toMatchObject({ state: 5_001, revision: 5_000n });
      expect(read).toBeLessThan(100);
    });

    test('events that hold only a change are folded: alone, before and after events that hold the whole state', async () => {
      for (let n = 0; n < 200; n += 1) elsewhere(1);
      expect(await whole().load(stream)).toMatchObject({ state: 200, revision: 199n });
      set(1_000);
      for (let n = 0; n < 10; n += 1) elsewhere(1); // a process of the previous release
      expect(await whole().load(stream)).toMatchObject({ state: 1_010, revision: 210n });
      for (let n = 0; n < 100; n += 1) elsewhere(1);
      expect(await whole().load(stream)).toMatchObject({ state: 1_110 });
    });

    test('continues from the cached state, also when others have appended many events', async () => {
      const { handle, load } = whole();
      await handle(stream, adding(1), metadata);
      set(7);
      expect(await load(stream)).toMatchObject({ state: 7, revision: 1n });
      for (let n = 0; n < 500; n += 1) set(n);
      expect(await load(stream)).toMatchObject({ state: 499, revision: 501n });
    });

    test('a cached state counts the bytes of one event, however many events there are', async () => {
      const memory = new StateCache<number>();
      const { handle } = whole(memory);
      for (let n = 0; n < 300; n += 1) await handle(stream, adding(1), { ...metadata, command_id: ids.next() });
      expect(memory.get(stream)).toMatchObject({ state: 300, bytes: BYTES });
      expect(memory.get(stream)?.commands.size).toBeLessThanOrEqual(64);
    });

    test('recognizes a repeated command while at most 64 events follow it, in this and in another process', async () => {
      const command_id = ids.next();
      const { handle } = whole();
      await handle(stream, adding(5), { ...metadata, command_id });
      for (let n = 0; n < 63; n += 1) await handle(stream, adding(1), { ...metadata, command_id: ids.next() });
      const repeat = { ...metadata, command_id };
      expect(await handle(stream, adding(5), repeat)).toMatchObject({ state: 68, events: [] });
      expect(await whole().handle(stream, adding(5), repeat)).toMatchObject({ state: 68, events: [] });
    });
  });

  test('rethrows the error of decode on an unknown event', async () => {
    streams.put(stream, { id: ids.next(), type: 'Multiplied', data: {}, metadata: { ...metadata, v: 1 } });
    await expect(handler().handle(stream, adding(1), metadata)).rejects.toThrow('unknown event Multiplied');
    expect(await streams.read(stream)).toHaveLength(1);
  });

  test('an error on the cached state is not returned: the command is decided again on the stored state', async () => {
    const positive: typeof tally = {
      ...tally,
      decide(command, total) {
        if (total === 1) throw new TypeError('cannot happen at 1');
        return tally.decide(command, total);
      },
    };
    const { handle } = handler(positive);
    await handle(stream, adding(1), metadata);
    await expect(handle(stream, adding(1), metadata)).rejects.toThrow('cannot happen at 1');
    elsewhere(1);
    expect(await handle(stream, adding(1), metadata)).toMatchObject({ state: 3 });
  });
});
