import fc from 'fast-check';
import { embeddedDocumentStore, type Collection, type Filter } from '@svc/document-store';
import { soon, streamOf, type Recorded, type Turn } from '@svc/kernel';
import { temporaryEngine } from '../testing/temporary-engine.ts';
import { createChanges } from './changes.ts';
import { foldRows } from './fold-rows.ts';
import { createMatches } from './matches.ts';
import { rowOf, type Projection, type Row } from './projection.ts';

interface ThingRow extends Row {
  colour: string;
}
/** A thing has the colour of its last event. */
const projection: Projection<ThingRow, string> = {
  name: 'things_v1',
  category: 'thing',
  ordinals: true,
  indexes: [],
  initialState: '',
  evolve: (_colour, { data }) => (data as { colour: string }).colour,
  row: (colour, recorded) => ({ ...rowOf(recorded), created_at: '', colour }),
  resource: () => ({}),
};
const SIZE = 3;
const env = 'test';

describe('rows that match a filter', () => {
  const fixture = temporaryEngine();
  afterAll(() => fixture.remove());
  let collections = 0;

  /** A projection without events; `epoch` is that of its subscription. */
  function started(remembered?: number) {
    const name = `things_v${(collections += 1)}`;
    const rows: Collection<ThingRow> = embeddedDocumentStore(fixture.engine, 'svc_test').collection(name, {
      indexes: [{ fields: ['account', 'env', 'ordinal'], unique: true }, { fields: ['account', 'env', 'colour', 'ordinal'] }],
    });
    const subscription: { epoch: number | undefined } = { epoch: 1 };
    const changes = createChanges(() => subscription.epoch, { size: SIZE, ...(remembered && { remembered }) });
    const counts: Filter[] = [];
    const matches = createMatches({ ...rows, count: (filter) => (counts.push(filter), rows.count(filter)) }, changes);
    const history: Recorded[] = [];
    const store = {
      read: async (stream: string, from = 0n, max = Infinity) =>
        history.filter((event) => event.stream === stream && event.revision >= from).slice(0, max),
    };
    const logger = { warn: () => undefined, error: () => undefined };
    const happened = (account: string, thing: string, colour: string): Recorded => {
      const stream = streamOf('thing', env, account, thing);
      const revision = BigInt(history.filter((event) => event.stream === stream).length);
      const event = {
        id: `${history.length}`,
        type: 'Seen',
        data: { colour },
        metadata: { v: 1, account, env },
        stream,
        revision,
      } as const;
      const recorded = { ...event, recordedAt: 0, bytes: 2, position: BigInt(history.length + 1) };
      history.push(recorded);
      return recorded;
    };
    const fold = foldRows({ projection, rows, store, logger });
    const torn = foldRows({ projection, rows: { ...rows, write }, store, logger });
    async function write(ops: Parameters<typeof rows.write>[0]): Promise<never> {
      await rows.write(ops);
      throw new Error('died');
    }
    const by = {
      us: async (events: Recorded[]) => changes.wrote(await fold(events)),
      async 'us, at the second attempt'(events: Recorded[]) {
        if (events.length > 0) await expect(torn(events)).rejects.toThrow('died');
        changes.wrote(await fold(events));
      },
      async 'another process'(events: Recorded[]) {
        subscription.epoch = undefined;
        await fold(events);
      },
    };
    return {
      rows,
      subscription,
      counts,
      happened,
      by,
      of: (account: string, filter: Filter, turn: Turn = soon) => matches({ account, env }, filter, turn),
    };
  }

  test('their counts are those of the rows after any changes, takeovers by other processes and failed attempts', async () => {
    const event = fc.record({
      account: fc.constantFrom('acct_a', 'acct_b'),
      thing: fc.integer({ min: 0, max: 11 }),
      colour: fc.constantFrom('red', 'blue'),
    });
    const step = fc.record({
      events: fc.array(event, { maxLength: 5 }),
      who: fc.constantFrom('us', 'us', 'us', 'us, at the second attempt', 'another process'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.constantFrom(2, 100), async (steps, remembered) => {
        const { rows, subscription, happened, by, of } = started(remembered);
        for (const [n, { events, who }] of steps.entries()) {
          await by[who](events.map(({ account, thing, colour }) => happened(account, `${account}_${thing}`, colour)));
          for (const account of ['acct_a', 'acct_b'])
            for (const colour of ['red', 'blue']) {
              const { total, blocks } = await of(account, { colour });
              const there = await Array.fromAsync(rows.find({ account, env, colour }));
              const highest = (await rows.highest('ordinal', { account, env })) ?? 0;
              const inSlice = (block: number) => there.filter(({ ordinal = 0 }) => Math.floor((ordinal - 1) / SIZE) === block).length;
              expect([total, blocks]).toEqual([
                there.length,
                Array.from({ length: Math.ceil(highest / SIZE) }, (_, block) => inSlice(block)),
              ]);
            }
          subscription.epoch ??= n + 2;
        }
      }),
      { numRuns: 60 },
    );
  });

  test('a count is of one point, also where blocks are written that it has passed', async () => {
    const { counts, happened, by, of } = started();
    await by.us(Array.from({ length: 9 }, (_, n) => happened('acct_a', `thing_${n}`, 'red')));
    let isWritten = false;
    const turn = async (): Promise<void> => {
      if (isWritten) return;
      isWritten = true;
      await by.us([0, 8].map((n) => happened('acct_a', `thing_${n}`, 'blue')));
    };
    expect(await of('acct_a', { colour: 'red' }, turn)).toMatchObject({ total: 7, blocks: [2, 3, 2] });
    counts.length = 0;
    expect(await of('acct_a', { colour: 'red' })).toMatchObject({ total: 7 });
    expect(counts).toEqual([]);
  });

  test('only blocks with changes are counted again, and all of them while another process may write', async () => {
    const { subscription, counts, happened, by, of } = started();
    const counted = async (account: string) => {
      counts.length = 0;
      await of(account, { colour: 'red' });
      return counts.map(({ ordinal }) => ordinal);
    };
    const block = (n: number) => ({ $gt: n * SIZE, $lte: (n + 1) * SIZE });
    await by.us(Array.from({ length: 8 }, (_, n) => happened('acct_a', `thing_${n}`, 'red')));
    expect(await counted('acct_a')).toEqual([block(0), block(1), block(2)]);
    expect(await counted('acct_a')).toEqual([]);
    await by.us([happened('acct_b', 'thing_other', 'red')]);
    expect(await counted('acct_a')).toEqual([]);
    await by.us([happened('acct_a', 'thing_4', 'blue')]);
    expect(await counted('acct_a')).toEqual([block(1)]);
    await by.us([8, 9].map((n) => happened('acct_a', `thing_${n}`, 'red')));
    expect(await counted('acct_a')).toEqual([block(2), block(3)]);
    subscription.epoch = undefined;
    expect(await counted('acct_a')).toHaveLength(4);
    expect(await counted('acct_a')).toHaveLength(4);
    subscription.epoch = 2;
    expect(await counted('acct_a')).toHaveLength(4);
    expect(await counted('acct_a')).toEqual([]);
  });
});
