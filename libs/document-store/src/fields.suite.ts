import { jsonNumber, numberText } from '@svc/kernel';
import { indexes, listed, type OpenDocumentStore, type Row } from './document-store.suite.ts';

/** Fields of indexes and texts, which an adapter may store apart from the rest of a document. */
export function fieldsSuite(name: string, open: () => Promise<OpenDocumentStore>): void {
  describe(`fields of documents: ${name}`, () => {
    let fixture: OpenDocumentStore;
    beforeEach(async () => {
      fixture = await open();
    });
    afterEach(() => fixture.close());

    test('has its indexed fields and texts as they were written: absent, null, empty, of any kind, changed and removed', async () => {
      const noted = fixture.documents.collection<Row>('rows', { indexes, texts: ['note'] });
      const docs: Row[] = [
        { _id: 'a', version: 1 },
        { _id: 'b', version: 1, group: '', rank: null, done: false, due_at: null, note: '' },
        { _id: 'c', version: 1, group: 'ë "𝄞"\n\u0000', rank: -0.1, done: true, due_at: 1.5e300, note: '{"a":[1,"\u0000𝄞"]}' },
        { _id: 'd', version: 1, rank: 0, note: null as never },
        { _id: 'e', version: 1, rank: jsonNumber('12345678901234567.89'), note: { x: 1 } as never },
      ];
      await noted.write(docs.map((insert) => ({ insert })));
      expect(await listed(noted, {}, { sort: { _id: 1 } })).toEqual(docs);
      expect(numberText((await noted.get('e'))?.rank)).toBe('12345678901234567.89');

      const [changed] = await noted.claim({ _id: 'c' }, { set: { group: 'g', note: 'n', rank: undefined } as never });
      expect(changed).toEqual({ _id: 'c', version: 2, group: 'g', done: true, due_at: 1.5e300, note: 'n' });
      expect(await noted.get('c')).toEqual(changed);
      await noted.write([{ put: { _id: 'c', version: 3, due_at: 7 } }]);
      expect(await noted.get('c')).toEqual({ _id: 'c', version: 3, due_at: 7 });
      const { docs: page } = await noted.page({}, { sort: { _id: 1 }, limit: 9 }, 100_000);
      expect(page.map(({ _id, note }) => [_id, note])).toEqual([
        ['a', undefined],
        ['b', ''],
        ['c', undefined],
        ['d', null],
        ['e', { x: 1 }],
      ]);
    });

    test('reads the indexed fields and texts of documents by id without the rest of them', async () => {
      const noted = fixture.documents.collection<Row>('rows', { indexes, texts: ['note'] });
      await noted.write(
        [
          { _id: 'a', version: 1, group: 'g', rank: 2, note: 'long', total: 5 },
          { _id: 'b', version: 3, group: '', rank: null },
          { _id: 'c', version: 1, rank: jsonNumber('0.10') },
          { _id: 'd', version: 1, group: 'g' },
        ].map((insert) => ({ insert })),
      );
      const read = await noted.indexed(['c', 'b', 'a', 'a', 'none'], ['group', 'rank']);
      expect(read.toSorted((one, other) => (one._id < other._id ? -1 : 1))).toEqual([
        { _id: 'a', version: 1, group: 'g', rank: 2 },
        { _id: 'b', version: 3, group: '' },
        { _id: 'c', version: 1, rank: 0.1 },
      ]);
      expect(await noted.indexed(['a'], ['note', 'group'])).toEqual([{ _id: 'a', version: 1, group: 'g', note: 'long' }]);
      expect(await noted.indexed(['b'], ['note'])).toEqual([{ _id: 'b', version: 3 }]);
      expect(await noted.indexed(['none'], ['note'])).toEqual([]);
      expect(await noted.indexed(['a'], [])).toEqual([{ _id: 'a', version: 1 }]);
      expect(await noted.indexed([], ['group'])).toEqual([]);
      await expect(noted.indexed(['a'], ['total'])).rejects.toThrow('no index');
    });
  });
}
