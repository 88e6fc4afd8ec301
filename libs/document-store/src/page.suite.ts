import { jsonNumber, numberText, soon } from '@svc/kernel';
import type { OpenDocumentStore } from './document-store.suite.ts';
import type { Collection, Doc, Filter, Page, Sort } from './port.ts';

interface Row extends Doc {
  group: string;
  rank: number | null;
  text: string;
  total?: number;
}

const KIB = 1024;
const id = (n: number): string => `r${String(n).padStart(3, '0')}`;
const idsOf = ({ docs, left }: Page<Row>): string[] => [...docs.map(({ _id }) => _id), ...left];

/** The tests of pages and of reads in chunks for every adapter. */
export function pageSuite(name: string, open: () => Promise<OpenDocumentStore>): void {
  describe(`pages of documents: ${name}`, () => {
    let fixture: OpenDocumentStore;
    let rows: Collection<Row>;
    const row = (n: number, size: number): Row => ({ _id: id(n), version: 1, group: 'g', rank: n, text: 'x'.repeat(size) });
    const byRank = { sort: { rank: -1 } } as const;
    beforeEach(async () => {
      fixture = await open();
      rows = fixture.documents.collection<Row>('rows', { indexes: [{ fields: ['group', 'rank'] }] });
    });
    afterEach(() => fixture.close());
    const put = (...docs: Row[]): Promise<unknown> => rows.write(docs.map((doc) => ({ put: doc })));

    test('a small page is returned completely, in order, with exact numbers', async () => {
      await put(...Array.from({ length: 30 }, (_, n) => ({ ...row(n, 100), total: jsonNumber('12345678901234567.89') })));
      const page = await rows.page({ group: 'g' }, { ...byRank, skip: 3, limit: 5 }, 64 * KIB);
      expect([idsOf(page), page.left]).toEqual([[26, 25, 24, 23, 22].map(id), []]);
      expect(page.docs.map(({ total }) => numberText(total))).toEqual(Array(5).fill('12345678901234567.89'));
      expect(idsOf(await rows.page({ group: 'g' }, { ...byRank, limit: 100 }, 64 * KIB))).toHaveLength(30);
      expect(await rows.page({ group: 'nobody' }, { ...byRank, limit: 5 }, 64 * KIB)).toEqual({ docs: [], left: [] });
      expect(await rows.page({ group: 'g' }, { ...byRank, limit: 0 }, 64 * KIB)).toEqual({ docs: [], left: [] });
    });

    test('a page of a hundred small documents is returned completely', async () => {
      await put(...Array.from({ length: 130 }, (_, n) => row(n, 300)));
      const page = await rows.page({ group: 'g' }, { ...byRank, skip: 10, limit: 100 }, 64 * KIB);
      expect([idsOf(page), page.left]).toEqual([Array.from({ length: 100 }, (_, n) => id(119 - n)), []]);
    });

    test('a page of large documents ends at the limit and returns the ids of the others', async () => {
      await put(...Array.from({ length: 120 }, (_, n) => row(n, n < 50 ? 20 * KIB : 3 * KIB)));
      const page = await rows.page({ group: 'g' }, { ...byRank, skip: 10, limit: 100 }, 64 * KIB);
      expect(idsOf(page)).toEqual(Array.from({ length: 100 }, (_, n) => id(109 - n)));
      expect(page.docs.length).toBeGreaterThan(15);
      expect(page.docs.length).toBeLessThan(22);
      const large = await rows.page({ group: 'g' }, { sort: { rank: 1 }, limit: 4 }, 16 * KIB);
      expect([large.docs, large.left]).toEqual([[], [0, 1, 2, 3].map(id)]);
    });

    test('pages and counts are the same whichever index serves them, and however many are said to match', async () => {
      interface Thing extends Doc {
        group: string;
        colour: string;
        size: number | null;
        rank: number;
        made: string | null;
      }
      const things = fixture.documents.collection<Thing>('things', {
        indexes: [
          { fields: ['group', 'rank', 'colour', 'size'] },
          { fields: ['group', 'colour', 'rank'] },
          { fields: ['group', 'size', 'rank'] },
          { fields: ['group', 'made', 'rank'], present: 'made' },
          { fields: ['group', 'rank'], unique: true },
        ],
      });
      const all: Thing[] = Array.from({ length: 200 }, (_, n) => ({
        ...{ _id: id(n), version: 1, group: n % 4 === 0 ? 'h' : 'g', colour: ['red', 'blue', 'green'][(n * 7) % 3] as string },
        ...{ size: n % 5 === 0 ? null : (n * 13) % 11, rank: (n * 37) % 211, made: n % 9 === 0 ? `m${n % 2}` : null },
      }));
      await things.write(all.map((insert) => ({ insert })));
      const filters: { filter: Filter; holds: (thing: Thing) => boolean }[] = [
        { filter: {}, holds: () => true },
        { filter: { colour: 'red' }, holds: ({ colour }) => colour === 'red' },
        { filter: { size: null }, holds: ({ size }) => size === null },
        { filter: { made: 'm1' }, holds: ({ made }) => made === 'm1' },
        { filter: { made: null }, holds: ({ made }) => made === null },
        { filter: { made: { $eq: null } }, holds: ({ made }) => made === null },
        { filter: { made: { $in: ['m0', null] } }, holds: ({ made }) => made !== 'm1' },
        { filter: { made: { $gte: 'm1' } }, holds: ({ made }) => made === 'm1' },
        { filter: { colour: 'blue', size: { $gte: 5 } }, holds: ({ colour, size }) => colour === 'blue' && size !== null && size >= 5 },
        { filter: { colour: { $in: ['red', 'green'] } }, holds: ({ colour }) => colour !== 'blue' },
        { filter: { colour: { $in: ['red', 'green', 'red', 'grey'] } }, holds: ({ colour }) => colour !== 'blue' },
        { filter: { size: { $in: [null, 1, 7] } }, holds: ({ size }) => size === null || size === 1 || size === 7 },
        {
          filter: { size: { $in: [1, 2, 3, 5, 8] }, colour: { $in: ['blue', 'green'] } },
          holds: ({ colour, size }) => colour !== 'red' && size !== null && [1, 2, 3, 5, 8].includes(size),
        },
        { filter: { colour: { $in: [] } }, holds: () => false },
      ];
      for (const { filter, holds } of filters)
        for (const range of [{}, { rank: { $gt: 20, $lte: 150 } }] as Filter[])
          for (const by of ['rank', 'size'] as const)
            for (const direction of [1, -1] as const) {
              const wanted = all
                .filter((thing) => thing.group === 'g' && holds(thing) && (!('rank' in range) || (thing.rank > 20 && thing.rank <= 150)))
                .sort((one, other) => direction * ((one[by] ?? -1) - (other[by] ?? -1) || one.rank - other.rank));
              const sort: Sort = by === 'rank' ? { rank: direction } : { size: direction, rank: direction };
              const ways = [
                {},
                { matches: wanted.length },
                { turn: soon },
                { matches: wanted.length, turn: soon },
                { matches: 1_000_000, turn: soon },
              ];
              for (const way of ways) {
                const query = { sort, skip: 3, limit: 25, ...way };
                const page = await things.page({ group: 'g', ...filter, ...range }, query, 64 * KIB);
                expect(page.docs.map(({ _id }) => _id)).toEqual(wanted.slice(3, 28).map(({ _id }) => _id));
              }
              for (const turn of [undefined, soon])
                expect(await things.count({ group: 'g', ...filter, ...range }, turn)).toBe(wanted.length);
            }
    });

    test('a page and a count of listed ids hold those that match, in order, also where texts have characters beyond the basic plane', async () => {
      const names = ['a', 'b', null, '\uff61', '\u{1f600}', 'é', '\ud7ff', 'B', ''];
      const named = fixture.documents.collection<Doc & { group: string; name: string | null; size: number }>('named', {
        indexes: [{ fields: ['group', 'name', 'size'] }, { fields: ['group', 'size'] }],
      });
      const all = Array.from({ length: 1_200 }, (_, n) => ({
        ...{ _id: id(n), version: 1, group: n % 3 === 0 ? 'h' : 'g', name: names[n % names.length] as string | null, size: n },
      }));
      await named.write(all.map((insert) => ({ insert })));
      const asked = all.filter((_, n) => n % 2 === 0).map(({ _id }) => _id);
      const byName = (one: string | null, other: string | null): number =>
        one === null || other === null
          ? Number(one !== null) - Number(other !== null)
          : Buffer.compare(Buffer.from(one), Buffer.from(other));
      for (const direction of [1, -1] as const)
        for (const turn of [undefined, soon]) {
          const filter: Filter = { group: 'g', size: { $gte: 100 }, _id: { $in: [...asked, 'nobody', asked[100] as string] } };
          const wanted = all
            .filter(({ group, size }) => group === 'g' && size >= 100 && size % 2 === 0)
            .sort((one, other) => direction * (byName(one.name, other.name) || one.size - other.size));
          const query = { sort: { name: direction, size: direction }, skip: 50, limit: 40, turn };
          const page = await named.page(filter, query, 64 * KIB);
          expect(page.docs.map(({ _id }) => _id)).toEqual(wanted.slice(50, 90).map(({ _id }) => _id));
          expect(await named.count(filter, turn)).toBe(wanted.length);
          expect(await named.count({ ...filter, _id: { $in: [] } }, turn)).toBe(0);
          const behind = { ...filter, _id: { $in: asked, $gte: asked[300] as string } };
          const few = await named.page(behind, { ...query, skip: 0, limit: 600 }, 0);
          expect(few.left).toEqual(wanted.map(({ _id }) => _id).filter((one) => one >= (asked[300] as string)));
          expect(await named.count(behind, turn)).toBe(few.left.length);
        }
    });

    test('a page of no bytes has only ids', async () => {
      await put(...Array.from({ length: 20 }, (_, n) => row(n, 10)));
      expect(await rows.page({ group: 'g' }, { ...byRank, limit: 3 }, 0)).toEqual({ docs: [], left: [19, 18, 17].map(id) });
      expect(await rows.page({ group: 'nobody' }, { ...byRank, limit: 3 }, 0)).toEqual({ docs: [], left: [] });
    });

    test('the remaining ids are read in chunks of so many bytes, in their order, with the documents as they are by then, without those that match no more', async () => {
      const sizes = Array.from({ length: 60 }, (_, n) => (n % 10 === 9 ? 300 * KIB : 5 * KIB));
      await put(...sizes.map((size, n) => row(n, size)));
      const ids = sizes.map((_, n) => id(59 - n));
      const read: string[] = [];
      for await (const chunk of rows.read(ids, { group: 'g' }, 128 * KIB)) {
        const bytes = chunk.reduce((sum, { text }) => sum + text.length, 0);
        expect(chunk.length === 1 || bytes <= 128 * KIB).toBe(true);
        if (read.length === 0) {
          await rows.write([{ delete: id(30) }]);
          await put({ ...row(31, 10), version: 2, text: 'changed' }, { ...row(29, 10), version: 2, group: 'h' });
        }
        for (const { _id, text } of chunk) {
          read.push(_id);
          if (_id === id(31)) expect(text).toBe('changed');
        }
      }
      expect(read).toEqual(ids.filter((one) => one !== id(30) && one !== id(29)));
      expect(await Array.fromAsync(rows.read([], {}, KIB))).toEqual([]);
      expect(await Array.fromAsync(rows.read(['nobody'], {}, KIB))).toEqual([]);
      expect(await Array.fromAsync(rows.read(ids.slice(0, 3), { rank: { $lt: 58 } }, KIB))).toEqual([
        [expect.objectContaining({ rank: 57 })],
      ]);
    });

    test('the highest number is found, and null where there is none', async () => {
      await put(row(3, 1), { ...row(7, 1), group: 'h' }, { ...row(9, 1), rank: null }, { ...row(8, 1), group: 'n', rank: null });
      expect(await rows.highest('rank', { group: 'g' })).toBe(3);
      expect(await rows.highest('rank', { group: { $in: ['g', 'h'] } })).toBe(7);
      expect(await rows.highest('rank', { group: 'n' })).toBeNull();
      expect(await rows.highest('rank', { group: 'nobody' })).toBeNull();
      await expect(rows.highest('text', {})).rejects.toThrow('text');
    });
  });
}
