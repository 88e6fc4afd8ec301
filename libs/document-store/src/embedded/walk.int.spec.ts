import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import type { Collection, Doc, Filter, Sort } from '../port.ts';
import { reporting, type Visited } from '../testing/visited.ts';
import { embeddedDocumentStore } from './document-store.ts';

interface Thing extends Doc {
  group: string;
  colour: string;
  size: number | null;
  rank: number;
  kind: number;
  made: string | null;
}

/** More than one statement visits. */
const MANY = 25_000;
const MOST = 20_000;

const folder = mkdtempSync(join(tmpdir(), 'svc-walk-'));
const engine = Engine.open(folder, { durable: false });
const seen: Visited[] = [];
let things: Collection<Thing>;
let all: Thing[];
beforeAll(async () => {
  things = embeddedDocumentStore(
    reporting(engine, (visited) => seen.push(visited)),
    'svc_test',
  ).collection('things', {
    indexes: [
      { fields: ['group', 'rank', 'colour'] },
      { fields: ['group', 'colour', 'rank'] },
      { fields: ['group', 'size', 'rank'] },
      { fields: ['group', 'kind'] },
      { fields: ['group', 'made', 'rank'], present: 'made' },
      { fields: ['group', 'rank'], unique: true },
    ],
  });
  all = Array.from({ length: MANY }, (_, n) => ({
    ...{ _id: `t${n}`, version: 1, group: n % 10 === 0 ? 'h' : 'g', colour: ['red', 'blue', 'green'][(n * 7) % 3] as string, kind: n % 7 },
    ...{ size: n % 5 === 0 ? null : (n * 13) % 97, rank: (n * 7_919) % 25_013, made: n % 900 === 1 ? `m${n % 2}` : null },
  }));
  await things.write(all.map((insert) => ({ insert })));
});
beforeEach(() => void (seen.length = 0));
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

const filters: [Filter, (thing: Thing) => boolean][] = [
  [{}, () => true],
  [{ colour: 'red' }, ({ colour }) => colour === 'red'],
  [{ colour: { $in: ['red', 'green'] } }, ({ colour }) => colour !== 'blue'],
  [{ kind: { $in: [1, 5, 5] } }, ({ kind }) => kind === 1 || kind === 5],
  [
    { kind: { $in: [2, 3, 4, 6] }, colour: { $in: ['red', 'blue'] } },
    ({ kind, colour }) => [2, 3, 4, 6].includes(kind) && colour !== 'green',
  ],
  [
    { kind: { $in: [1, 6] }, rank: { $gt: 2_000, $lte: 24_000 } },
    ({ kind, rank }) => (kind === 1 || kind === 6) && rank > 2_000 && rank <= 24_000,
  ],
  [{ size: { $in: [null, 13, 26] } }, ({ size }) => size === null || size === 13 || size === 26],
  [{ made: { $in: ['m0', 'm1'] } }, ({ made }) => made !== null],
  [{ size: null }, ({ size }) => size === null],
  [{ size: { $gte: 50 } }, ({ size }) => size !== null && size >= 50],
  [{ kind: 3 }, ({ kind }) => kind === 3],
  [{ kind: { $gte: 1 }, colour: 'blue' }, ({ kind, colour }) => kind >= 1 && colour === 'blue'],
  [{ made: 'm1' }, ({ made }) => made === 'm1'],
  [{ rank: { $gt: 2_000, $lte: 24_000 }, colour: 'green' }, ({ rank, colour }) => rank > 2_000 && rank <= 24_000 && colour === 'green'],
];
const sorts: Sort[] = [{ rank: 1 }, { rank: -1 }, { size: 1, rank: 1 }, { size: -1, rank: -1 }];
const turns = { count: 0, turn: async (): Promise<void> => void (turns.count += 1) };

describe.each(filters)('what matches %j', (filter, holds) => {
  const found = (): Thing[] => all.filter((thing) => thing.group === 'g' && holds(thing));

  test.each(sorts)('is found on every page by %j, and no statement visits or sorts many', async (sort) => {
    const [by, direction] = Object.entries(sort)[0] as ['rank' | 'size', number];
    const wanted = found().sort((one, other) => direction * ((one[by] ?? -1) - (other[by] ?? -1) || one.rank - other.rank));
    for (const skip of [0, 4_980, 11_111, wanted.length - 7, wanted.length].filter((at) => at >= 0 && at <= wanted.length))
      for (const matches of [undefined, wanted.length]) {
        const query = { sort, skip, limit: 25, turn: turns.turn, ...(matches !== undefined && { matches }) };
        const { docs, left } = await things.page({ group: 'g', ...filter }, query, 64 * 1024);
        expect([...docs.map(({ _id }) => _id), ...left]).toEqual(wanted.slice(skip, skip + 25).map(({ _id }) => _id));
      }
    expect(seen.filter(({ entries }) => entries > MOST)).toEqual([]);
    expect(seen.filter(({ sorts: isSorted, sql }) => !sql.includes('NOT INDEXED') && isSorted())).toEqual([]);
  });

  test('is counted, in pieces', async () => {
    turns.count = 0;
    expect(await things.count({ group: 'g', ...filter }, turns.turn)).toBe(found().length);
    expect(Math.max(...seen.map(({ entries }) => entries))).toBeLessThanOrEqual(5_000);
    if (found().length > 10_000) expect(turns.count).toBeGreaterThan(0);
  });
});

test('a list of values is found by an index of the field, and not among all documents', async () => {
  const filter = { group: 'g', made: { $in: ['m0', 'm1'] } };
  expect(await things.count(filter, turns.turn)).toBeGreaterThan(20);
  await things.page(filter, { sort: { rank: 1 }, limit: 25, turn: turns.turn, matches: 28 }, 64 * 1024);
  expect(seen.reduce((sum, { entries }) => sum + entries, 0)).toBeLessThan(500);
});

test('the last page of an order costs what the first does', async () => {
  const query = { sort: { size: 1, rank: 1 }, limit: 25, turn: turns.turn, matches: 22_500 } as const;
  await things.page({ group: 'g' }, { ...query, skip: 0 }, 64 * 1024);
  const first = seen.reduce((sum, { entries }) => sum + entries, 0);
  seen.length = 0;
  await things.page({ group: 'g' }, { ...query, skip: 22_475 }, 64 * 1024);
  expect(seen.reduce((sum, { entries }) => sum + entries, 0)).toBeLessThan(first + 6_000);
});

test.each([1, -1] as const)('a stream of a range visits each of its entries once, however many chunks it takes (%i)', async (direction) => {
  const filter = { group: 'g', rank: { $gte: 1_000, $lte: 20_000 } };
  const found = await Array.fromAsync(things.find(filter, { sort: { rank: direction } }));
  expect(found).toHaveLength(all.filter(({ group, rank }) => group === 'g' && rank >= 1_000 && rank <= 20_000).length);
  const visited = seen.reduce((sum, { entries }) => sum + entries, 0);
  expect(visited).toBeLessThan(found.length + 3 * seen.length);
});

test.each([1, -1] as const)(
  'documents without a value in a unique field are on one page each, in the order of their writes (%i)',
  async (direction) => {
    const indexes = [{ fields: ['colour', 'rank'] }, { fields: ['rank'], unique: true }];
    const some = embeddedDocumentStore(engine, 'svc_test').collection<Doc>('some', { indexes });
    const ids = Array.from({ length: 100 }, (_, n) => `s${n}`);
    await some.write(ids.map((_id, n) => ({ insert: { _id, version: 1, colour: n % 3 === 0 ? 'red' : 'blue', rank: null } as Doc })));
    const found: string[] = [];
    for (let skip = 0; skip < ids.length; skip += 7) {
      const query = { sort: { rank: direction }, skip, limit: 7 };
      found.push(...(await some.page({ colour: { $in: ['red', 'blue'] } }, query, 0)).left);
    }
    expect(found).toEqual(direction === 1 ? ids : ids.toReversed());
  },
);
