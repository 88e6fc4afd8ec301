import { Conflict, createIds, FakeClock, OutcomeUnknown, DomainError, type NewEvent, type Recorded, type Streams } from '@svc/kernel';
import { createSequence, type Claim } from './sequence.ts';

interface Numbered {
  document: string;
  seq: number;
}
const series = 'series-test.acct_1.INV.2026';

/** A series in memory that counts its reads and appends. */
function memorySeries(clock: FakeClock) {
  const ids = createIds(clock);
  const events: Recorded[] = [];
  const counts = { reads: 0, appends: 0 };
  const streams: Streams = {
    async read(_, from = 0n, max = Infinity) {
      counts.reads += 1;
      return events.slice(Number(from), Number(from) + max);
    },
    async tail(_, max) {
      counts.reads += 1;
      return events.slice(-max);
    },
    known: () => undefined,
    async append(stream, expected, added) {
      counts.appends += 1;
      if (BigInt(events.length) !== (expected === 'none' ? 0n : expected + 1n))
        throw new Conflict(stream, expected, events.at(-1)?.revision ?? 'none');
      put(...added);
      return { revision: BigInt(events.length - 1), bytes: 0 };
    },
  };
  function put(...added: NewEvent[]): void {
    const position = () => ({ stream: series, revision: BigInt(events.length), recordedAt: 0, bytes: 0, position: 0n });
    for (const event of added) events.push({ ...event, ...position() });
  }
  /** Another process takes numbers. */
  function others(...documents: string[]): void {
    for (const document of documents) put({ ...numbered(document), id: ids.next() });
  }
  const numbered = (document: string) => ({
    type: 'NumberTaken',
    data: { document, seq: events.length + 1 },
    metadata: { v: 1, account: 'acct_1', env: 'test' as const },
  });
  return { streams, counts, others, taken: () => events.map(({ data }) => data as Numbered), events };
}

describe('sequence', () => {
  let clock: FakeClock;
  let memory: ReturnType<typeof memorySeries>;
  beforeEach(() => {
    clock = new FakeClock();
    memory = memorySeries(clock);
  });

  const open = (streams = memory.streams) => createSequence({ streams, ids: createIds(clock), clock });
  const claim = (document: string, more: Partial<Claim<Numbered>> = {}): Claim<Numbered> => ({
    stream: series,
    seen: 'none',
    document,
    type: 'NumberTaken',
    v: 3,
    metadata: { account: 'acct_1', env: 'test', actor: { type: 'system', id: 'sys' } },
    link: (last) => ({ document, seq: (last?.seq ?? 0) + 1 }),
    ...more,
  });

  test('a link is an event of the given type, version and metadata, with the link as data', async () => {
    expect(await open().take(claim('inv_1'))).toEqual({ document: 'inv_1', seq: 1 });
    expect(memory.events[0]).toMatchObject({
      type: 'NumberTaken',
      data: { document: 'inv_1', seq: 1 },
      metadata: { v: 3, account: 'acct_1', env: 'test', actor: { type: 'system', id: 'sys' } },
    });
  });

  test('continues after the last link, wherever the series started', async () => {
    const sequence = open();
    await sequence.take(claim('inv_1', { link: () => ({ document: 'inv_1', seq: 4_711 }) }));
    expect(await sequence.take(claim('inv_2'))).toMatchObject({ seq: 4_712 });
    memory.others('x');
    expect(await open().take(claim('inv_3', { seen: 1n }))).toMatchObject({ seq: 4 });
  });

  test('a document that has its link gets the same one, in this process and any other', async () => {
    const sequence = open();
    const first = await sequence.take(claim('inv_1'));
    await sequence.take(claim('inv_2'));
    expect(await sequence.take(claim('inv_1'))).toEqual(first);
    expect(await open().take(claim('inv_1'))).toEqual(first);
    expect(memory.taken()).toHaveLength(2);
  });

  test('a document with two concurrent requests gets one link', async () => {
    const sequence = open();
    const links = await Promise.all([sequence.take(claim('inv_1')), sequence.take(claim('inv_2')), sequence.take(claim('inv_1'))]);
    expect(links.map((link) => (link as Numbered).seq)).toEqual([1, 2, 1]);
  });

  test('a link that does not answer is skipped, in the same append and in earlier ones; one that does is the document’s', async () => {
    const isOdd = ({ seq }: Numbered) => seq % 2 === 1;
    const isEven = ({ seq }: Numbered) => seq % 2 === 0;
    const ask = (...rules: Claim<Numbered>['answers'][]) => {
      const sequence = open();
      return Promise.all(rules.map((answers) => sequence.take(claim('inv_1', answers ? { answers } : {}))));
    };
    expect(await ask(isOdd, isEven, isOdd, undefined)).toMatchObject([{ seq: 1 }, { seq: 2 }, { seq: 1 }, { seq: 1 }]);
    expect(await ask(isEven, isOdd)).toMatchObject([{ seq: 2 }, { seq: 1 }]);
    expect(await ask(() => false)).toMatchObject([{ seq: 3 }]);
    expect(memory.taken()).toHaveLength(3);
  });

  test('a document linked again, having seen its first link, gets a new one; a request for the first still gets the first', async () => {
    const sequence = open();
    await sequence.take(claim('inv_1'));
    await sequence.take(claim('inv_2'));
    const seen = await sequence.head(series);
    expect(await sequence.take(claim('inv_1', { seen }))).toEqual({ document: 'inv_1', seq: 3 });
    expect(await sequence.take(claim('inv_1'))).toEqual({ document: 'inv_1', seq: 1 });
    expect(await sequence.take(claim('inv_1', { seen }))).toEqual({ document: 'inv_1', seq: 3 });
    expect(memory.taken()).toHaveLength(3);
  });

  test('waiting requests share an append, at most 200, and one read', async () => {
    const sequence = open();
    await Promise.all(Array.from({ length: 450 }, (_, n) => sequence.take(claim(`inv_${n}`))));
    expect(memory.counts).toEqual({ reads: 1, appends: 3 });
    expect(memory.taken().map(({ seq }) => seq)).toEqual(Array.from({ length: 450 }, (_, n) => n + 1));
  });

  test('an append stays below 1 MiB: the rest goes into the next', async () => {
    const sequence = open();
    const big = (document: string) =>
      claim(document, { link: (last) => ({ document, seq: (last?.seq ?? 0) + 1, previous: 'x'.repeat(400_000) }) });
    await Promise.all(['inv_1', 'inv_2', 'inv_3', 'inv_4', 'inv_5'].map((document) => sequence.take(big(document))));
    expect(memory.counts.appends).toBe(3);
    expect(memory.taken().map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  });

  test('reads what others took meanwhile, and repeats the claim behind it', async () => {
    const sequence = open();
    await sequence.take(claim('inv_1'));
    memory.others('x', 'y');
    expect(await sequence.take(claim('inv_2', { seen: 0n }))).toMatchObject({ seq: 4 });
    memory.others('inv_3');
    expect(await sequence.take(claim('inv_3', { seen: 3n }))).toMatchObject({ seq: 5 });
    expect(memory.taken()).toHaveLength(5);
  });

  test("searches for a document's link back to the revision of its request", async () => {
    const sequence = open();
    memory.others('inv_1');
    await Promise.all(Array.from({ length: 1_000 }, (_, n) => sequence.take(claim(`inv_x${n}`, { seen: 0n }))));
    expect(await sequence.take(claim('inv_1'))).toMatchObject({ seq: 1 });
    expect(await sequence.take(claim('inv_x3', { seen: 0n }))).toMatchObject({ seq: 5 });
    expect(memory.taken()).toHaveLength(1_001);
  });

  test('a refusal claims nothing, and the others get their links', async () => {
    const sequence = open();
    const early = new DomainError('validation_error', 'before the last one');
    const links = await Promise.all([
      sequence.take(claim('inv_1')),
      sequence.take(claim('inv_2', { link: () => early })),
      sequence.take(claim('inv_3')),
    ]);
    expect(links).toEqual([{ document: 'inv_1', seq: 1 }, early, { document: 'inv_3', seq: 2 }]);
  });

  test('a refusal is decided at the newest link: the document may have its own by then', async () => {
    const sequence = open();
    await sequence.take(claim('inv_1'));
    memory.others('inv_2');
    const refusing = claim('inv_2', { seen: 0n, link: () => new DomainError('validation_error', 'before the last one') });
    expect(await sequence.take(refusing)).toEqual({ document: 'inv_2', seq: 2 });
  });

  test('an error of a rule affects only its own document', async () => {
    const sequence = open();
    const broken = (): never => {
      throw new Error('a bug');
    };
    const outcomes = await Promise.allSettled([sequence.take(claim('inv_1', { link: broken })), sequence.take(claim('inv_2'))]);
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { message: 'a bug' } },
      { status: 'fulfilled', value: { seq: 1 } },
    ]);
  });

  test('an unknown outcome reaches all waiting requests, and repeating the call finds what was stored', async () => {
    let isLost = true;
    const lossy: Streams = {
      ...memory.streams,
      async append(...args) {
        const answer = await memory.streams.append(...args);
        if (isLost) throw new OutcomeUnknown('no reply in time');
        return answer;
      },
    };
    const sequence = open(lossy);
    const outcomes = await Promise.allSettled([sequence.take(claim('inv_1')), sequence.take(claim('inv_2'))]);
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason instanceof OutcomeUnknown)).toEqual([true, true]);
    isLost = false;
    expect(await sequence.take(claim('inv_2'))).toEqual({ document: 'inv_2', seq: 2 });
    expect(memory.taken()).toHaveLength(2);
  });

  test('waits for a conflict whose cause cannot be read yet', async () => {
    let hidden = 0;
    const behind: Streams = {
      ...memory.streams,
      read: async (stream, from = 0n, max = Infinity) => (await memory.streams.read(stream, from, max)).slice(0, hidden > 0 ? 0 : max),
    };
    const sequence = open(behind);
    await sequence.take(claim('inv_1'));
    memory.others('x');
    hidden = 1;
    const taken = sequence.take(claim('inv_2', { seen: 0n }));
    await clock.advance(30);
    expect(memory.taken()).toHaveLength(2);
    hidden = 0;
    await clock.advance(50);
    expect(await taken).toEqual({ document: 'inv_2', seq: 3 });

    memory.others('y');
    hidden = 1;
    const never = sequence.take(claim('inv_3', { seen: 0n })).catch((error: unknown) => error);
    await clock.advance(5_000);
    expect(await never).toMatchObject({ code: 'service_unavailable' });
  });

  test('head is a revision that the series has reached; a long series takes one read', async () => {
    expect(await open().head(series)).toBe('none');
    memory.others(...Array.from({ length: 100_000 }, (_, n) => `x${n}`));
    memory.counts.reads = 0;
    const sequence = open();
    expect(await Promise.all(Array.from({ length: 50 }, () => sequence.head(series)))).toEqual(Array(50).fill(99_999n));
    expect(memory.counts.reads).toBe(1);
    const before = memory.counts.reads;
    expect(await sequence.take(claim('inv_1', { seen: 99_999n }))).toMatchObject({ seq: 100_001 });
    expect(await sequence.head(series)).toBe(100_000n);
    expect(memory.counts.reads).toBe(before);
  });

  test('of a hundred busy series the recently used ones are cached, the others are read again', async () => {
    const many = Array.from({ length: 100 }, () => memorySeries(clock));
    const of = (stream: string) => many[Number(stream.split('S')[1])] as ReturnType<typeof memorySeries>;
    const busy = open({
      read: (stream, ...rest) => of(stream).streams.read(stream, ...rest),
      tail: (stream, max) => of(stream).streams.tail(stream, max),
      known: () => undefined,
      append: (stream, ...rest) => of(stream).streams.append(stream, ...rest),
    });
    for (const n of many.keys()) {
      await Promise.all(Array.from({ length: 400 }, (_, k) => busy.take(claim(`inv_${k}`, { stream: `series-test.acct_1.S${n}` }))));
    }
    const readsOf = async (n: number): Promise<number> => {
      const before = many[n]?.counts.reads ?? 0;
      expect(await busy.head(`series-test.acct_1.S${n}`)).toBe(399n);
      return (many[n]?.counts.reads ?? 0) - before;
    };
    expect([await readsOf(99), await readsOf(60), await readsOf(0)]).toEqual([0, 0, 1]);
  });

  test('the cache of a series expires, since others may have appended much', async () => {
    const sequence = open();
    expect(await sequence.head(series)).toBe('none');
    memory.others('x', 'y');
    await clock.advance(60_000);
    expect(await sequence.head(series)).toBe(1n);
  });
});
