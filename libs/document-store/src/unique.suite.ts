import { listed, type OpenDocumentStore, type Row } from './document-store.suite.ts';
import type { Collection, Filter } from './port.ts';
import { UniqueViolation } from './unique-violation.ts';

/** What a unique index does to each kind of write. */
export function uniqueSuite(name: string, open: () => Promise<OpenDocumentStore>): void {
  describe(`a unique index: ${name}`, () => {
    let fixture: OpenDocumentStore;
    let rows: Collection<Row>;
    beforeEach(async () => {
      fixture = await open();
      rows = fixture.documents.collection<Row>('unique_rows', { indexes: [{ fields: ['group', 'rank'], unique: true }] });
    });
    afterEach(() => fixture.close());
    const put = (...docs: Row[]): Promise<unknown> => rows.write(docs.map((doc) => ({ put: doc })));
    const ids = async (): Promise<string[]> => (await listed(rows, {}, { sort: { _id: 1 } })).map(({ _id }) => _id);

    test('makes an insert return false and a put throw, and ignores null values', async () => {
      expect(await rows.insert({ _id: 'a', version: 1, group: 'g', rank: 1 })).toBe(true);
      expect(await rows.insert({ _id: 'b', version: 1, group: 'g', rank: 1 })).toBe(false);
      const behind = { _id: 'e', version: 1, group: 'g', rank: 2 };
      await expect(put({ ...behind, _id: 'b', rank: 1 }, behind)).rejects.toThrow(UniqueViolation);
      expect(await ids()).toEqual(['a']); // nor is what stood behind it
      expect(await rows.insert({ _id: 'c', version: 1, group: 'g' })).toBe(true);
      expect(await rows.insert({ _id: 'd', version: 1, group: 'g', rank: null })).toBe(true);
    });

    test('skips an insert of a write, whose later operations are done', async () => {
      await rows.insert({ _id: 'a', version: 1, group: 'g', rank: 1 });
      const stored = await rows.write([
        { insert: { _id: 'b', version: 1, group: 'g', rank: 1 } },
        { insert: { _id: 'c', version: 1, group: 'g', rank: 2 } },
      ]);
      expect(await ids()).toEqual(['a', 'c']);
      expect([...stored]).toEqual(['c']);
    });

    test('makes a claim throw', async () => {
      await put({ _id: 'a', version: 1, group: 'g', rank: 1 }, { _id: 'b', version: 1, group: 'g', rank: 2 });
      const filters: Filter[] = [{ _id: 'b' }, { group: 'g', rank: 2 }];
      for (const filter of filters) await expect(rows.claim(filter, { set: { rank: 1 } })).rejects.toThrow(UniqueViolation);
      expect(await rows.get('b')).toEqual({ _id: 'b', version: 1, group: 'g', rank: 2 });
    });

    test('accepts one of many concurrent inserts', async () => {
      const tried = await Promise.all(Array.from({ length: 20 }, (_, n) => rows.insert({ _id: `r${n}`, version: 1, group: 'g', rank: 7 })));
      expect(tried.filter(Boolean)).toHaveLength(1);
      expect(await rows.count({ group: 'g', rank: 7 })).toBe(1);
    });
  });
}
