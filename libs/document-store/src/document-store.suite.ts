import { jsonNumber, numberText } from '@svc/kernel';
import type { Collection, Doc, DocumentStore, Filter, Query } from './port.ts';

/** An adapter with an empty database. */
export interface OpenDocumentStore {
  documents: DocumentStore;
  /** Reopens the database as after a restart of the process. */
  reopen(): Promise<DocumentStore>;
  close(): Promise<void>;
}

export interface Row extends Doc {
  group?: string;
  rank?: number | null;
  done?: boolean;
  due_at?: number | null;
  note?: string;
  total?: number;
}

export const indexes = [{ fields: ['group', 'rank'] }, { fields: ['due_at'] }, { fields: ['done'] }];

export async function listed<D extends Doc>(collection: Collection<D>, filter: Filter, query?: Query): Promise<D[]> {
  const docs: D[] = [];
  for await (const doc of collection.find(filter, query)) docs.push(doc);
  return docs;
}
const idsOf = async (collection: Collection<Row>, filter: Filter, query?: Query): Promise<string[]> =>
  (await listed(collection, filter, query)).map(({ _id }) => _id);

/** Every adapter of the document store port passes these tests. */
export function documentStoreSuite(name: string, open: () => Promise<OpenDocumentStore>): void {
  describe(`document store: ${name}`, () => {
    let fixture: OpenDocumentStore;
    let rows: Collection<Row>;
    beforeEach(async () => {
      fixture = await open();
      rows = fixture.documents.collection<Row>('rows', { indexes });
    });
    afterEach(() => fixture.close());

    const put = (...docs: Row[]): Promise<unknown> => rows.write(docs.map((doc) => ({ put: doc })));

    describe('one document', () => {
      test('is read as it was written, with exact numbers, nesting and any text', async () => {
        const doc = {
          _id: 'a',
          version: 1,
          total: jsonNumber('12345678901234567.89'),
          note: 'ë "𝄞"\n\u0000',
          deep: { list: [1, null, { x: true }] },
        };
        await rows.insert(doc);
        const found = await rows.get('a');
        expect({ ...found, total: numberText(found?.total) }).toEqual({ ...doc, total: '12345678901234567.89' });
        expect(await rows.get('b')).toBeUndefined();
      });

      test('is stored as it was at the call, whatever the caller changes afterwards', async () => {
        const doc: Row = { _id: 'a', version: 1, note: 'before' };
        const written = rows.insert(doc);
        doc.note = 'after';
        await written;
        expect(await rows.get('a')).toMatchObject({ note: 'before' });
      });

      test('is inserted once by fifty concurrent inserts, and has the winner’s value', async () => {
        const tried = await Promise.all(Array.from({ length: 50 }, (_, n) => rows.insert({ _id: 'a', version: 1, rank: n })));
        expect(tried.filter(Boolean)).toHaveLength(1);
        expect(await rows.get('a')).toMatchObject({ rank: tried.indexOf(true) });
      });

      test('survives a restart', async () => {
        await put({ _id: 'a', version: 3, group: 'g' });
        rows = (await fixture.reopen()).collection<Row>('rows', { indexes });
        expect(await rows.get('a')).toEqual({ _id: 'a', version: 3, group: 'g' });
        expect(await rows.insert({ _id: 'a', version: 1 })).toBe(false);
      });
    });

    describe('write', () => {
      test('runs its operations in order and can be repeated', async () => {
        const ops = [
          { insert: { _id: 'a', version: 1, note: 'first' } },
          { insert: { _id: 'a', version: 9, note: 'too late' } },
          { put: { _id: 'b', version: 2, note: 'new' } },
          { put: { _id: 'b', version: 3, note: 'newer' } },
          { insert: { _id: 'c', version: 1 } },
          { delete: 'c' },
          { delete: 'never there' },
        ];
        expect([...(await rows.write(ops))]).toEqual(['a', 'c']);
        expect([...(await rows.write(ops))]).toEqual(['c']); // the others exist
        expect(await rows.get('a')).toMatchObject({ version: 1, note: 'first' });
        expect(await rows.get('b')).toMatchObject({ version: 3, note: 'newer' });
        expect(await rows.get('c')).toBeUndefined();
        await rows.write([]);
      });

      test('applies operations after a delete to a new document, and continues after one without effect', async () => {
        await put({ _id: 'a', version: 9, note: 'old' });
        const ops = [
          { insert: { _id: 'a', version: 10, note: 'is there' } },
          { put: { _id: 'a', version: 8, note: 'stale' } },
          { put: { _id: 'b', version: 1, note: 'b' } },
          { put: { _id: 'a', version: 3, note: 'staler' } },
          { delete: 'a' },
          { put: { _id: 'a', version: 2, note: 'anew' } },
          { put: { _id: 'a', version: 1, note: 'too low again' } },
          { put: { _id: 'c', version: 1, note: 'c' } },
        ];
        await rows.write(ops);
        expect(await listed(rows, {}, { sort: { _id: 1 } })).toEqual([
          { _id: 'a', version: 2, note: 'anew' },
          { _id: 'b', version: 1, note: 'b' },
          { _id: 'c', version: 1, note: 'c' },
        ]);
      });

      test('deletes only the version that it names', async () => {
        await put({ _id: 'a', version: 2 }, { _id: 'b', version: 2 }, { _id: 'c', version: 2 });
        await rows.write([{ delete: 'a', version: 2 }, { delete: 'b', version: 1 }, { delete: 'c' }]);
        expect(await idsOf(rows, {})).toEqual(['b']);
        await rows.write([
          { delete: 'b', version: 1 },
          { put: { _id: 'b', version: 2, note: 'stale' } },
          { delete: 'b', version: 2 },
          { put: { _id: 'b', version: 1, note: 'anew' } },
        ]);
        expect(await rows.get('b')).toEqual({ _id: 'b', version: 1, note: 'anew' });
      });

      test('accepts long lists, and their repetition', async () => {
        const long = (note: string): Row[] =>
          Array.from({ length: 1_300 }, (_, n) => ({ _id: `r${n}`, version: 1 + (n % 2), group: 'g', note }));
        await put(...long('first'));
        await put(...long('again'));
        await put(...long('newer').map((row) => ({ ...row, version: 2 })));
        expect(await rows.count({ group: 'g' })).toBe(1_300);
        expect([await rows.get('r1298'), await rows.get('r1299')]).toMatchObject([{ note: 'newer' }, { note: 'first' }]);
      });

      test('puts only over a lower version, of which 0 is one', async () => {
        await put({ _id: 'a', version: 5, note: 'five', rank: 5 });
        await put({ _id: 'a', version: 5, note: 'other five', rank: 1 }, { _id: 'a', version: 4, note: 'four', rank: 2 });
        expect(await rows.get('a')).toMatchObject({ version: 5, note: 'five' });
        await put({ _id: 'a', version: 6, note: 'six' });
        expect(await rows.get('a')).toEqual({ _id: 'a', version: 6, note: 'six' });
        await rows.write([{ insert: { _id: 'b', version: 0, note: 'for now' } }, { insert: { _id: 'b', version: 1, note: 'is there' } }]);
        await put({ _id: 'b', version: 1, note: 'first' }, { _id: 'b', version: 1, note: 'again' });
        expect(await rows.get('b')).toEqual({ _id: 'b', version: 1, note: 'first' });
      });

      test('keeps the newest of concurrent puts', async () => {
        const versions = Array.from({ length: 40 }, (_, n) => ((n * 17) % 40) + 1);
        await Promise.all(versions.map((version) => put({ _id: 'a', version, rank: version })));
        expect(await rows.get('a')).toMatchObject({ version: 40, rank: 40 });
      });
    });

    describe('find and count', () => {
      beforeEach(() =>
        put(
          { _id: 'a', version: 1, group: 'x', rank: 1, done: true, due_at: 100 },
          { _id: 'b', version: 1, group: 'x', rank: 2, done: false, due_at: null },
          { _id: 'c', version: 1, group: 'y', rank: 3, done: true },
          { _id: 'd', version: 1, group: 'y', rank: 10, done: false, due_at: 50.5 },
          { _id: 'e', version: 2 },
        ),
      );

      test.each<[string, Filter, string[]]>([
        ['everything', {}, ['a', 'b', 'c', 'd', 'e']],
        ['equal', { group: 'x' }, ['a', 'b']],
        ['$eq', { group: { $eq: 'y' }, rank: 10 }, ['d']],
        ['a boolean', { done: true }, ['a', 'c']],
        ['the other boolean', { done: { $in: [false] } }, ['b', 'd']],
        ['null means null or absent', { due_at: null }, ['b', 'c', 'e']],
        ['$in', { group: { $in: ['y', 'z'] } }, ['c', 'd']],
        ['$in nothing', { group: { $in: [] } }, []],
        ['$in with null', { group: { $in: ['x', null] } }, ['a', 'b', 'e']],
        ['numbers compare as numbers', { rank: { $gt: 2 } }, ['c', 'd']],
        ['$gte and $lt', { rank: { $gte: 2, $lt: 10 } }, ['b', 'c']],
        ['$lte leaves nulls out', { due_at: { $lte: 100 } }, ['a', 'd']],
        ['strings compare as strings', { group: { $gt: 'x' } }, ['c', 'd']],
        ['_id', { _id: { $in: ['e', 'a', 'q'] } }, ['a', 'e']],
        ['some of a range of _id', { _id: { $in: ['e', 'a', 'c', 'q'], $gt: 'a', $lte: 'd' } }, ['c']],
        ['_id and version', { _id: 'e', version: 2 }, ['e']],
        ['no match', { group: 'x', rank: 3 }, []],
      ])('%s', async (_what, filter, ids) => {
        expect((await idsOf(rows, filter)).sort()).toEqual(ids);
        expect(await rows.count(filter)).toBe(ids.length);
      });

      test('sort by several fields, nulls first; skip and limit', async () => {
        expect(await idsOf(rows, {}, { sort: { group: -1, rank: 1 } })).toEqual(['c', 'd', 'a', 'b', 'e']);
        expect(await idsOf(rows, {}, { sort: { rank: 1 } })).toEqual(['e', 'a', 'b', 'c', 'd']);
        expect(await idsOf(rows, {}, { sort: { rank: 1 }, skip: 1, limit: 2 })).toEqual(['a', 'b']);
        expect(await idsOf(rows, {}, { sort: { rank: -1 }, skip: 3 })).toEqual(['a', 'e']);
        expect(await idsOf(rows, {}, { limit: 0 })).toEqual([]);
        expect((await idsOf(rows, {}, { sort: {} })).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
        expect((await rows.claim({}, { set: {} }, { limit: 0 })).length).toBe(0);
      });

      test('throw on a field without an index, also in a sort, and on an invalid condition', async () => {
        await expect(listed(rows, { note: 'x' })).rejects.toThrow('note');
        await expect(rows.count({ note: 'x' })).rejects.toThrow('note');
        await expect(rows.claim({ note: 'x' }, { set: {} })).rejects.toThrow('note');
        await expect(listed(rows, {}, { sort: { note: 1 } })).rejects.toThrow('note');
        await expect(rows.count({ group: undefined } as unknown as Filter)).rejects.toThrow();
        await expect(rows.count({ group: {} })).rejects.toThrow();
        await expect(rows.count({ group: { $ne: 'x' } } as unknown as Filter)).rejects.toThrow('$ne');
      });
    });

    describe('a long stream', () => {
      const size = 1_700;
      const id = (n: number): string => `r${String(n).padStart(5, '0')}`;
      beforeEach(() =>
        put(
          ...Array.from({ length: size }, (_, n) => ({
            _id: id(n),
            version: 1,
            group: `g${n % 2}`,
            rank: n % 7 === 0 ? null : n % 1_100,
            due_at: 1,
          })),
        ),
      );

      test.each<[string, Filter, Query]>([
        ['no order', {}, {}],
        ['the order of an index', { group: 'g1' }, {}],
        ['many of one key', { due_at: 1 }, { sort: { due_at: 1 } }],
        ['up, nulls first', {}, { sort: { group: 1, rank: 1 } }],
        ['down, nulls last', {}, { sort: { group: -1, rank: -1 } }],
        ['mixed', {}, { sort: { group: 1, rank: -1 } }],
        ['within a range', { group: 'g0', rank: { $gte: 100, $lt: 1000 } }, { sort: { rank: -1 } }],
        ['skip and limit', {}, { sort: { rank: 1 }, skip: 300, limit: 1_200 }],
      ])('returns every document once, in order: %s', async (_what, filter, query) => {
        const found = await listed(rows, filter, query);
        const total = await rows.count(filter);
        expect(found).toHaveLength(Math.min(total - (query.skip ?? 0), query.limit ?? size));
        expect(new Set(found.map(({ _id }) => _id)).size).toBe(found.length);
        const key = (doc: Row, field: string): string | number =>
          (doc as unknown as Record<string, string | number | null>)[field] ?? -Infinity;
        const unordered = found.slice(1).filter((doc, n) => {
          for (const [field, direction] of Object.entries(query.sort ?? {})) {
            const [before, after] = [key(found[n] as Row, field), key(doc, field)];
            if (before !== after) return direction === 1 ? before > after : before < after;
          }
          return false;
        });
        expect(unordered).toEqual([]);
      });

      test('permits writes while it runs, and may be ended early', async () => {
        let seen = 0;
        for await (const { _id, version } of rows.find({}, { sort: { rank: 1 } })) {
          if (version > 1) continue;
          seen += 1;
          if (seen % 200 === 0) await rows.claim({ _id }, { set: { note: 'seen' } });
          if (seen % 100 === 0) await rows.insert({ _id: `new${seen}`, version: 2, rank: 0 });
        }
        expect(seen).toBe(size);
        for await (const _ of rows.find({})) break;
        expect(await rows.count({ version: 2 })).toBe(Math.floor(size / 200) + Math.floor(size / 100));
      });
    });

    describe('claim', () => {
      test('sets fields, increments the version and returns the stored documents', async () => {
        await put({ _id: 'a', version: 4, group: 'x', note: 'kept', due_at: 5 });
        const claimed = await rows.claim({ due_at: { $lte: 5 } }, { set: { due_at: 90, group: 'y' } });
        expect(claimed).toEqual([{ _id: 'a', version: 5, group: 'y', note: 'kept', due_at: 90 }]);
        expect(await rows.get('a')).toEqual(claimed[0]);
        expect(await idsOf(rows, { group: 'x' })).toEqual([]);
        expect(await idsOf(rows, { group: 'y', due_at: 90 })).toEqual(['a']);
      });

      test('is an optimistic update by version', async () => {
        await put({ _id: 'a', version: 4 });
        expect(await rows.claim({ _id: 'a', version: 3 }, { set: { note: 'late' } })).toEqual([]);
        const raced = await Promise.all(Array.from({ length: 20 }, (_, n) => rows.claim({ _id: 'a', version: 4 }, { set: { rank: n } })));
        expect(raced.filter((won) => won.length === 1)).toHaveLength(1);
        expect(await rows.get('a')).toEqual(raced.flat()[0]);
      });

      test('increments a version of any size exactly', async () => {
        const large = 1_000 * 2 ** 32;
        await put({ _id: 'a', version: large, note: 'large' });
        expect(await rows.claim({ _id: 'a' }, { set: { rank: 1 } })).toEqual([{ _id: 'a', version: large + 1, note: 'large', rank: 1 }]);
        await put({ _id: 'a', version: large, note: 'late' });
        await rows.write([{ delete: 'a', version: large }]);
        expect(await rows.claim({ _id: 'a', version: large + 1 }, { set: { rank: 2 } })).toMatchObject([
          { version: large + 2, note: 'large' },
        ]);
        await put({ _id: 'a', version: large + 2 ** 32, note: 'newer' });
        expect(await rows.get('a')).toEqual({ _id: 'a', version: large + 2 ** 32, note: 'newer' });
        await rows.write([{ delete: 'a', version: large + 2 ** 32 }]);
        expect(await rows.get('a')).toBeUndefined();
      });

      test('changes all that match, also when they still match afterwards', async () => {
        await put(...Array.from({ length: 1_200 }, (_, n) => ({ _id: `r${n}`, version: 1, group: n < 1_100 ? 'g' : 'h', rank: n })));
        const claimed = await rows.claim({ group: 'g' }, { set: { note: 'set' } }, { sort: { rank: -1 } });
        expect(claimed.map(({ rank }) => rank)).toEqual(Array.from({ length: 1_100 }, (_, n) => 1_099 - n));
        expect(claimed.every(({ version, note }) => version === 2 && note === 'set')).toBe(true);
        expect((await rows.claim({ _id: { $in: ['r1', 'r2', 'r9999'] } }, { set: { done: true } })).length).toBe(2);
        expect(await idsOf(rows, { done: true }, { sort: { _id: 1 } })).toEqual(['r1', 'r2']);
        expect(await rows.claim({ group: 'nobody' }, { set: { note: 'set' } })).toEqual([]);
      });

      test('takes the first documents by sort, up to the limit', async () => {
        await put(...[3, 1, 2].map((n) => ({ _id: `r${n}`, version: 1, due_at: n })));
        const claimed = await rows.claim({ due_at: { $lte: 9 } }, { set: { due_at: 100 } }, { sort: { due_at: 1 }, limit: 2 });
        expect(claimed.map(({ _id }) => _id)).toEqual(['r1', 'r2']);
      });

      test('gives each document to one of many concurrent claims', async () => {
        await put(...Array.from({ length: 60 }, (_, n) => ({ _id: `r${n}`, version: 1, due_at: n })));
        const raced = await Promise.all(
          Array.from({ length: 10 }, () =>
            rows.claim({ due_at: { $lte: 60 } }, { set: { due_at: 1000 } }, { sort: { due_at: 1 }, limit: 10 }),
          ),
        );
        const ids = raced.flat().map(({ _id }) => _id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(await rows.count({ due_at: 1000 })).toBe(ids.length);
      });
    });

    test('an index declared later covers existing documents', async () => {
      const bare = fixture.documents.collection<Row>('grown');
      await bare.write([
        { put: { _id: 'a', version: 1, group: 'ë"', rank: 2.5, done: true } },
        { put: { _id: 'b', version: 1, rank: null, done: false } },
      ]);
      const grown = (await fixture.reopen()).collection<Row>('grown', { indexes: [{ fields: ['group', 'rank'] }, { fields: ['done'] }] });
      expect(await idsOf(grown, { group: 'ë"', rank: 2.5 })).toEqual(['a']);
      expect(await idsOf(grown, { group: null })).toEqual(['b']);
      expect(await idsOf(grown, { done: false })).toEqual(['b']);
      await grown.write([{ put: { _id: 'b', version: 2, group: 'g' } }]);
      expect(await idsOf(grown, { group: 'g' })).toEqual(['b']);
    });

    test('a collection that is opened again has the indexes of all who declared some', async () => {
      const again = [1, 2, 3].map(() => fixture.documents.collection<Row>('rows', { indexes }));
      const more = fixture.documents.collection<Row>('rows', { indexes: [...indexes, { fields: ['note'] }] });
      await put({ _id: 'a', version: 1, group: 'g', note: 'n' });
      for (const one of [rows, more, ...again]) expect(await idsOf(one, { group: 'g', note: 'n' })).toEqual(['a']);
    });

    test('opening a collection without indexes keeps those of others', async () => {
      const bare = fixture.documents.collection<Row>('shared');
      const full = fixture.documents.collection<Row>('shared', { indexes });
      await bare.insert({ _id: 'a', version: 1, group: 'g' });
      expect(await idsOf(full, { group: 'g' })).toEqual(['a']);
    });
  });
}
