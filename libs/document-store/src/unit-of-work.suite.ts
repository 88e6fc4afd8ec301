import { listed, type OpenDocumentStore, type Row } from './document-store.suite.ts';
import type { Collection } from './port.ts';
import { UniqueViolation } from './unique-violation.ts';

/** Writes of one effect, and documents that are inserted for a command's events. */
export function unitOfWorkSuite(name: string, open: () => Promise<OpenDocumentStore>): void {
  describe(`a unit of work: ${name}`, () => {
    let fixture: OpenDocumentStore;
    let rows: Collection<Row>;
    let others: Collection<Row>;
    beforeEach(async () => {
      fixture = await open();
      rows = fixture.documents.collection<Row>('rows', { indexes: [{ fields: ['group'], unique: true }] });
      others = fixture.documents.collection<Row>('others');
    });
    afterEach(() => fixture.close());
    const row = (_id: string, group = _id): Row => ({ _id, version: 1, group });
    const ids = async (of: Collection<Row>): Promise<string[]> => (await listed(of, {}, { sort: { _id: 1 } })).map(({ _id }) => _id);
    const unit = (...steps: (() => Promise<unknown>)[]): Promise<void> => fixture.documents.unitOfWork(steps);

    test('is done once it resolves', async () => {
      await rows.insert(row('a'));
      await unit(
        () => rows.write([{ insert: row('b') }]),
        () => others.insert(row('c')),
        () => rows.claim({ _id: 'a' }, { set: { note: 'changed' } }),
      );
      expect([await ids(rows), await ids(others)]).toEqual([['a', 'b'], ['c']]);
      expect(await rows.get('a')).toMatchObject({ version: 2, note: 'changed' });
    });

    test('rejects with the error of a step, and no later step is done; it can be repeated', async () => {
      await rows.insert(row('a', 'taken'));
      const steps = (group: string): (() => Promise<unknown>)[] => [
        () => others.write([{ put: row('first') }]),
        () => rows.write([{ put: row('b', group) }]),
        () => others.write([{ put: row('last') }]),
      ];
      await expect(unit(...steps('taken'))).rejects.toThrow(UniqueViolation);
      expect(await ids(rows)).toEqual(['a']);
      expect(await ids(others)).not.toContain('last');
      await unit(...steps('free'));
      expect([await ids(rows), await ids(others)]).toEqual([
        ['a', 'b'],
        ['first', 'last'],
      ]);
    });

    test('of one step, and of none', async () => {
      await unit();
      await unit(() => rows.insert(row('a')));
      expect(await ids(rows)).toEqual(['a']);
    });

    test('is no part of what others write at the same time', async () => {
      await rows.insert(row('a', 'taken'));
      const [refused, stored, other] = await Promise.allSettled([
        unit(
          () => rows.write([{ put: row('b', 'taken') }]),
          () => others.insert(row('x')),
        ),
        unit(
          () => others.insert(row('y')),
          () => others.insert(row('z')),
        ),
        others.insert(row('own')),
      ]);
      expect([refused, stored, other].map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
      expect(await ids(others)).toEqual(['own', 'y', 'z']);
    });
  });

  describe(`a document that is inserted for a command: ${name}`, () => {
    let fixture: OpenDocumentStore;
    let rows: Collection<Row>;
    beforeEach(async () => {
      fixture = await open();
      rows = fixture.documents.collection<Row>('rows');
    });
    afterEach(() => fixture.close());
    const row = (note: string, version = 1): Row => ({ _id: 'a', version, note });

    test('is there at once for whoever names its id, and only the first is inserted', async () => {
      expect(await rows.insertFor('command', row('first'))).toBe(true);
      expect(await rows.get('a')).toEqual(row('first'));
      expect(await rows.insertFor('command', row('second'))).toBe(false);
      expect(await rows.insertFor('other', row('second'))).toBe(false);
      expect(await rows.insert(row('second'))).toBe(false);
      await rows.write([{ insert: row('second') }]);
      expect(await rows.get('a')).toEqual(row('first'));
    });

    test('is not inserted where it is stored already', async () => {
      await rows.insert(row('first'));
      expect(await rows.insertFor('command', row('second'))).toBe(false);
      expect(await rows.get('a')).toEqual(row('first'));
    });

    test('of many that come together, inserted or for commands, one is', async () => {
      const tried = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 3 === 0 ? rows.insert(row(`${n}`)) : rows.insertFor(`${n}`, row(`${n}`)))),
      );
      expect(tried.filter(Boolean)).toHaveLength(1);
      expect(await rows.get('a')).toEqual(row(`${tried.indexOf(true)}`));
    });

    test('is as it was at the call, whatever the caller changes afterwards', async () => {
      const doc = row('first');
      await rows.insertFor('command', doc);
      doc.note = 'changed';
      const read = (await rows.get('a')) as Row;
      read.note = 'changed too';
      expect(await rows.get('a')).toEqual(row('first'));
    });

    test('is changed by a claim, once', async () => {
      await rows.insertFor('command', row('first'));
      expect(await rows.claim({ _id: 'a', version: 2 }, { set: { note: 'no' } })).toEqual([]);
      const claimed = await Promise.all([1, 2].map(() => rows.claim({ _id: 'a', version: 1 }, { set: { note: 'taken over' } })));
      expect(claimed.flat()).toEqual([row('taken over', 2)]);
      expect(await rows.get('a')).toEqual(row('taken over', 2));
    });

    test('is replaced by a put, removed by a delete', async () => {
      await rows.insertFor('command', row('first'));
      await rows.write([{ put: row('answered', 2) }]);
      expect(await rows.get('a')).toEqual(row('answered', 2));
      await rows.write([{ delete: 'a' }]);
      expect(await rows.insertFor('other', row('again'))).toBe(true);
      await rows.write([{ delete: 'a' }]);
      expect(await rows.get('a')).toBeUndefined();
    });

    test('is whole or not at all after a restart', async () => {
      await rows.insertFor('command', row('first'));
      const again = (await fixture.reopen()).collection<Row>('rows');
      expect([undefined, row('first')]).toContainEqual(await again.get('a'));
    });
  });

  describe(`a collection that is mostly read: ${name}`, () => {
    let fixture: OpenDocumentStore;
    let rows: Collection<Row>;
    beforeEach(async () => {
      fixture = await open();
      rows = fixture.documents.collection<Row>('read_rows', { mostlyRead: true });
    });
    afterEach(() => fixture.close());
    const noteOf = async (_id = 'a'): Promise<string | undefined> => (await rows.get(_id))?.note;

    test('one that does not exist yet is found once it is inserted', async () => {
      expect(await noteOf()).toBeUndefined();
      await rows.insert({ _id: 'a', version: 1, note: 'first' });
      expect([await noteOf(), await noteOf()]).toEqual(['first', 'first']);
    });

    test.each<[string, () => Promise<unknown>]>([
      ['claim', () => rows.claim({ _id: 'a' }, { set: { note: 'second' } })],
      ['put', () => rows.write([{ put: { _id: 'a', version: 2, note: 'second' } }])],
    ])('every read after an answered %s sees it, also where an earlier read is under way', async (_, write) => {
      await rows.insert({ _id: 'a', version: 1, note: 'first' });
      await noteOf();
      const before = noteOf();
      await write();
      expect(['first', 'second']).toContain(await before);
      expect([await noteOf(), await noteOf()]).toEqual(['second', 'second']);
    });

    test('a read that begins during a write does not hide it', async () => {
      await rows.insert({ _id: 'a', version: 1, note: 'first' });
      const writing = rows.claim({ _id: 'a' }, { set: { note: 'second' } });
      await noteOf();
      await writing;
      expect(await noteOf()).toBe('second');
    });
  });
}
