import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore, type DocumentStore, type Filter, type Index, type Sort } from '@svc/document-store';
import { reporting, type Visited } from '@svc/document-store/testing/visited';
import { Engine } from '@svc/embedded';
import { FakeClock, plusDays, soon } from '@svc/kernel';
import { blockIndexes, markBlocks } from '../postings/block.ts';
import type { Ledger } from '../postings/context.ts';
import { openLedger } from '../postings/ledger.ts';
import { postingId, type Posting } from '../postings/posting.ts';
import { sumBlock } from '../sums/sum-block.ts';
import { ACCOUNT, customerId } from '../testing/sample-documents.ts';
import { samplePosting } from '../testing/sample-postings.ts';
import { linesOf } from './files/lines.ts';
import { newestBy } from './newest.ts';
import { openDocuments } from './open.ts';
import type { Reading } from './report.ts';
import { served, views } from './served.ts';
import { statement } from './statement/statement.ts';
import { timeZoneOf } from './time-zone.ts';
import { countedFold } from './summed/counted.ts';
import { issuedFold } from './summed/issued.ts';

/** Documents of this tenant and of another one. */
const DOCUMENTS = 1_500;
/** Entries beside those of rows that are returned: the first one behind a range, of each part of a range. */
const MORE = 3;
const clock = new FakeClock(Date.UTC(2026, 5, 1));
const folder = mkdtempSync(join(tmpdir(), 'svc-plans-'));
const engine = Engine.open(folder, { durable: false });
const seen: Visited[] = [];
const asks: Asked[] = [];
const documents = recording(
  embeddedDocumentStore(
    reporting(engine, (visited) => seen.push(visited)),
    'svc_reporting',
  ),
);
const ledger = openLedger(documents);
const unsummed: Ledger = { ...ledger, blocks: documents.collection('no_blocks_v1', { indexes: blockIndexes }) };
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

/** A number, a registration and for some a payment or, of a credit note, what it lowers. */
function historyOf(n: number, account: string): Posting[] {
  const document = `inv_${account.slice(-3)}${String(n).padStart(6, '0')}`;
  const issued_on = plusDays('2026-01-01', n % 90);
  const registered = samplePosting(n, {
    account,
    document,
    issued_on,
    customer_id: customerId(n % 7),
    figures: { due_on: plusDays(issued_on, 30) },
  });
  const { figures: _, counted_on: _1, ...base } = registered;
  const taken = { series: 'INV', series_key: `INV${n % 3}.2026`, seq: n, issued_at: base.recorded_at, numbered_at: base.recorded_at };
  return [
    { ...base, ...taken, _id: postingId(document, 2), change: 'numbered', outcome: 'pending' },
    n % 10 === 0 ? { ...registered, lowers: `inv_${account.slice(-3)}${String(n + 1).padStart(6, '0')}` } : registered,
    ...(n % 2 === 0 ? [{ ...base, _id: postingId(document, 4), change: 'paid' as const, paid: '1', day: plusDays(issued_on, 20) }] : []),
  ];
}

beforeAll(async () => {
  for (const account of [ACCOUNT, 'acct_other'])
    for (let n = 0; n < DOCUMENTS; n += 250) {
      const made = Array.from({ length: 250 }, (_, k) => historyOf(n + k, account)).flat();
      await ledger.postings.write(made.map((insert) => ({ insert })));
      await markBlocks({ ...ledger, clock }, made);
    }
  const folds = { counted_on: countedFold(views), issued_on: issuedFold(ledger.postings) };
  for (;;) {
    const due = await Array.fromAsync(ledger.blocks.find({ due_at: { $gte: 0 } }, { limit: 100 }));
    if (due.length === 0) break;
    for (const block of due) await sumBlock({ ...ledger, clock, folds, sizes: { split: 100, least: 10, parts: 20_000 } }, block, soon);
  }
});

const february = { account: ACCOUNT, env: 'test' as const, from: '2026-02-01', to: '2026-02-28', as_of: '2026-03-15' };
const reading = (over: Partial<Reading>): Reading => ({
  ...{ ...february, known_at: null, kind: 'all', grouping: undefined, cites: false, ledger, turn: soon },
  ...over,
});

/** What is asked of a collection with these indexes. */
interface Asked {
  indexes: Index[];
  filter: Filter;
  sort: Sort;
}

/** The same store, which records what is asked of it. */
function recording(store: DocumentStore): DocumentStore {
  return {
    ...store,
    collection(name, options = {}) {
      const collection = store.collection<never>(name, options);
      const find: typeof collection.find = (filter, query = {}) => {
        asks.push({ indexes: [...(options.indexes ?? []), { fields: ['_id'] }], filter, sort: query.sort ?? {} });
        return collection.find(filter, query);
      };
      return { ...collection, find } as never;
    },
  };
}

/** As MongoDB has it: an index serves equalities with its first fields, then a range of the next one, in the order of the fields behind the equalities. */
function serves({ fields }: Index, { filter, sort }: Asked): boolean {
  const isEqual = (field: string): boolean => typeof filter[field] === 'string' || typeof filter[field] === 'number';
  const equal = fields.findIndex((field) => !isEqual(field));
  const rest = equal === -1 ? [] : fields.slice(equal);
  const own = fields.slice(0, fields.length - rest.length);
  const others = Object.keys(filter).filter((field) => !own.includes(field));
  const order = Object.keys(sort).filter((field) => !own.includes(field));
  const isOneWay = new Set(Object.values(sort)).size < 2;
  return isOneWay && others.every((field) => field === rest[0]) && order.every((field, n) => field === rest[n]);
}

/** On both engines: each question is served by one declared index, in its order. On this one it also returns what it visits, and nothing is sorted. */
function expectWalks(): void {
  expect(seen.length).toBeGreaterThan(0);
  const wrong = seen.filter((visited) => visited.entries > visited.returned + MORE || visited.sorts());
  expect(wrong.map(({ sql, entries, returned, index }) => ({ sql, entries, returned, index: index() }))).toEqual([]);
  expect(asks.filter((asked) => !asked.indexes.some((index) => serves(index, asked)))).toEqual([]);
}

const withSums: [string, Ledger][] = [
  ['sums', ledger],
  ['postings', unsummed],
];

describe.each(withSums)('from %s', (_, own) => {
  test.each(served.flatMap((report) => [undefined, ...report.groupings].map((grouping) => [report.name, grouping, report] as const)))(
    '%s by %s visits nothing but what it reads',
    async (_name, grouping, report) => {
      [seen.length, asks.length] = [0, 0];
      await report.run(reading({ ledger: own, grouping }));
      expectWalks();
    },
  );

  test.each(served.map((report) => [report.name, report] as const))(
    'a file of %s visits nothing but what it reads',
    async (_name, report) => {
      [seen.length, asks.length] = [0, 0];
      const { lines } = await linesOf(report, reading({ ledger: own, cites: true }));
      for await (const _line of lines);
      expectWalks();
    },
  );

  test('a statement, what is open, and the newest posting visit nothing but what they read', async () => {
    [seen.length, asks.length] = [0, 0];
    await statement.run(reading({ ledger: own, customer: customerId(1) }));
    await openDocuments(reading({ ledger: own }), '2026-06-01');
    await openDocuments(reading({ ledger: own }), '2026-03-15');
    await timeZoneOf(own, reading({}));
    await newestBy('recorded_at', own, reading({}));
    expectWalks();
  });
});

test('marking and summing blocks visits nothing but what it reads', async () => {
  [seen.length, asks.length] = [0, 0];
  await markBlocks({ ...ledger, clock }, historyOf(10, ACCOUNT));
  const due = await Array.fromAsync(ledger.blocks.find({ due_at: { $gte: 0 } }, { sort: { due_at: 1 }, limit: 10 }));
  const folds = { counted_on: countedFold(views), issued_on: issuedFold(ledger.postings) };
  for (const block of due) await sumBlock({ ...ledger, clock, folds }, block, soon);
  expectWalks();
});
