import fc from 'fast-check';
import { embeddedDocumentStore, type Collection } from '@svc/document-store';
import { streamOf, UnknownEvent, type Recorded, type Streams } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { temporaryEngine } from '../testing/temporary-engine.ts';
import { foldRows } from './fold-rows.ts';
import { rowOf, type Projection, type Row } from './projection.ts';

/** Counts the events of a stream. */
const projection: Projection<Row, number> = {
  name: 'things_v1',
  category: 'thing',
  ordinals: true,
  indexes: [],
  initialState: 0,
  evolve: (count) => count + 1,
  row: (_count, recorded) => ({ ...rowOf(recorded), created_at: 'now' }),
  resource: (count) => ({ count }),
};

/** A history in the order of the store: the account and the thing of each event. */
const histories = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 7 })), { maxLength: 40 });

function recordedOf(history: readonly (readonly [number, number])[]): Recorded[] {
  const revisions = new Map<string, bigint>();
  return history.map(([tenant, thing], n) => {
    const account = `acct_${tenant}`;
    const stream = streamOf('thing', 'test', account, `thing_${tenant}_${thing}`);
    const revision = (revisions.get(stream) ?? -1n) + 1n;
    revisions.set(stream, revision);
    return {
      id: String(n),
      type: 'Seen',
      data: {},
      metadata: { v: 1, account, env: 'test' },
      stream,
      revision,
      recordedAt: n,
      bytes: 2,
      position: BigInt(n + 1),
    };
  });
}

const storeOf = (events: Recorded[]): Pick<Streams, 'read'> => ({
  read: async (stream, from = 0n, max = Infinity) => events.filter((one) => one.stream === stream && one.revision >= from).slice(0, max),
});

/** The things of each account in the order of their first events. */
function orderOf(events: Recorded[]): Map<string, string[]> {
  const things = new Map<string, string[]>();
  for (const event of events.filter(({ revision }) => revision === 0n)) {
    const { account } = event.metadata;
    things.set(account, [...(things.get(account) ?? []), rowOf(event)._id]);
  }
  return things;
}

describe('rows folded from events', () => {
  const fixture = temporaryEngine();
  const logger = { warn: () => undefined, error: () => undefined };
  const rows: Collection<Row> = embeddedDocumentStore(fixture.engine, 'svc_test').collection('things_v1', {
    indexes: [{ fields: ['account', 'env', 'ordinal'], unique: true }],
  });
  afterAll(() => fixture.remove());
  afterEach(async () => {
    const written = await Array.fromAsync(rows.find({ _id: { $gte: '' } }));
    await rows.write(written.map(({ _id }) => ({ delete: _id })));
  });

  const inBatches = async (
    events: Recorded[],
    sizes: readonly number[],
    handle = foldRows({ projection, rows, store: storeOf(events), logger }),
  ): Promise<void> => {
    let at = 0;
    for (const size of [...sizes, events.length]) {
      await handle(events.slice(at, at + size));
      at += size;
    }
  };

  async function expectDense(events: Recorded[]): Promise<void> {
    const order = orderOf(events);
    for (const [account, things] of order) {
      const found = await Array.fromAsync(rows.find({ account, env: 'test' }, { sort: { ordinal: 1 } }));
      expect(found.map(({ _id, ordinal }) => [ordinal, _id])).toEqual(things.map((thing, n) => [n + 1, thing]));
      for (const row of found) expect(row.resource).toBe(`{"count":${row.version}}`);
    }
  }

  test('ordinals are dense and in the order of creation, whatever the batches, replayed from any position', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 10 }), { maxLength: 10 });
    await fc.assert(
      fc
        .asyncProperty(histories, sizes, sizes, fc.nat(), async (history, once, again, from) => {
          const events = recordedOf(history);
          await inBatches(events, once);
          await expectDense(events);
          await inBatches(events.slice(from % (events.length + 1)), again); // an earlier checkpoint
          await expectDense(events);
        })
        .beforeEach(async () => rows.write((await Array.fromAsync(rows.find({ _id: { $gte: '' } }))).map(({ _id }) => ({ delete: _id })))),
      { numRuns: 60 },
    );
  });

  test('a batch that was written in part is completed when it is repeated', async () => {
    const events = recordedOf([
      [0, 0],
      [0, 1],
      [1, 0],
      [0, 2],
      [0, 1],
      [0, 3],
    ]);
    const torn: Collection<Row> = {
      ...rows,
      write: async (ops) => {
        await rows.write(ops.slice(0, 2));
        throw new Error('the process died');
      },
    };
    await expect(foldRows({ projection, rows: torn, store: storeOf(events), logger })(events)).rejects.toThrow('died');
    await inBatches(events, []);
    await expectDense(events);
  });

  test('an event of a later release is skipped, also where events hold the whole state', async () => {
    const skipped: unknown[] = [];
    const known = (recorded: Recorded): boolean => {
      if (recorded.type === 'Blessed') throw new UnknownEvent(recorded);
      return true;
    };
    const whole: Projection<Row, number> = { ...projection, evolve: (count, recorded) => (known(recorded), count + 1), isWhole: known };
    const events = recordedOf([
      [0, 0],
      [0, 0],
      [0, 0],
    ]).map((event, n) => (n === 1 ? { ...event, type: 'Blessed' } : event));
    await foldRows({ projection: whole, rows, store: storeOf(events), logger: { ...logger, warn: (fields) => void skipped.push(fields) } })(
      events,
    );
    expect(skipped).toEqual([{ projection: 'things_v1', type: 'Blessed', v: 1 }]);
    expect((await rows.get(rowOf(events[0] as Recorded)._id))?.version).toBe(3);
  });

  test('two processes that fold concurrently assign the same ordinals', async () => {
    const events = recordedOf(Array.from({ length: 60 }, (_, n) => [n % 2, n % 20 < 10 ? n : n - 10] as const));
    await Promise.all([inBatches(events, [7, 3, 20]), inBatches(events, [1, 11, 5, 30])]);
    await inBatches(events, []);
    await expectDense(events);
  });

  test('streams whose earlier events were folded long ago are read once each, several at once, and again after a failure', async () => {
    const things = Array.from({ length: 40 }, (_, n) => [n % 3, n] as const);
    const events = recordedOf([...things, ...things, ...things]);
    const [before, later] = [events.slice(0, 40), events.slice(40)];
    await inBatches(before, []);
    let [under, most, reads, failing] = [0, 0, [] as string[], 1];
    const store: Pick<Streams, 'read'> = {
      async read(stream, ...rest) {
        reads.push(stream);
        most = Math.max(most, (under += 1));
        await new Promise((done) => setImmediate(done));
        under -= 1;
        if (stream.endsWith('_30') && failing-- > 0) throw new Error('the store does not answer');
        return storeOf(events).read(stream, ...rest);
      },
    };
    const handle = foldRows({ projection, rows, store, logger });
    await expect(handle(later)).rejects.toThrow('does not answer');
    await until(() => under === 0);
    reads = [];
    await handle(later);
    await expectDense(events);
    expect(reads).toHaveLength(new Set(reads).size);
    expect(most).toBe(8);
  });
});
