import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { compareAndSetSuite } from '../compare-and-set.suite.ts';
import { documentStoreSuite } from '../document-store.suite.ts';
import { jobsSuite } from '../jobs.suite.ts';
import { keptSuite } from '../kept.suite.ts';
import { uniqueSuite } from '../unique.suite.ts';
import { unitOfWorkSuite } from '../unit-of-work.suite.ts';
import { leaseSuite } from '../lease.suite.ts';
import { fieldsSuite } from '../fields.suite.ts';
import { pageSuite } from '../page.suite.ts';
import { retentionSuite } from '../retention.suite.ts';
import type { Doc, DocumentStore } from '../port.ts';
import { embeddedDocumentStore, type EmbeddedOptions } from './document-store.ts';

const folders: string[] = [];
/** A folder that is removed after its test. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'documents-'));
  folders.push(folder);
  return folder;
}
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

const opened = (options: EmbeddedOptions = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'documents-'));
  const open = (): Engine => Engine.open(folder, { phrases: ['x'.repeat(20), '"_id":'] });
  let engine = open();
  return {
    documents: embeddedDocumentStore(engine, 'svc_test', options),
    append: (command: string, work = (): void => undefined) => engine.write(work, command),
    rollback: () => engine.write((db) => db.sql('ROLLBACK').run()),
    async reopen() {
      engine.close();
      engine = open();
      return embeddedDocumentStore(engine, 'svc_test', options);
    },
    async close() {
      engine.close();
      rmSync(folder, { recursive: true });
    },
    counters: () => engine.counters,
    neighbour: () => embeddedDocumentStore(engine, 'svc_other'),
  };
};

documentStoreSuite('embedded', async () => opened());
compareAndSetSuite('embedded', async () => opened());
keptSuite('embedded', async () => opened());
uniqueSuite('embedded', async () => opened());
unitOfWorkSuite('embedded', async () => opened());
unitOfWorkSuite('embedded, with the events of commands', async () => opened({ hasEvents: true }));
fieldsSuite('embedded', async () => opened());
pageSuite('embedded', async () => opened());
leaseSuite('embedded', async () => opened());
jobsSuite('embedded', async () => opened());
retentionSuite('embedded', async () => opened());

describe('embedded document store', () => {
  let fixture: ReturnType<typeof opened>;
  beforeEach(() => {
    fixture = opened();
  });
  afterEach(() => fixture.close());

  test('all writes of a turn share one commit', async () => {
    const one = fixture.documents.collection('one');
    const two = fixture.neighbour().collection('two');
    const before = fixture.counters().commits;
    await Promise.all(Array.from({ length: 100 }, (_, n) => (n % 2 ? one : two).insert({ _id: `${n}`, version: 1 })));
    expect(fixture.counters().commits - before).toBe(1);
  });

  test('a unit of work is one commit', async () => {
    const one = fixture.documents.collection('one');
    const two = fixture.neighbour().collection('two');
    const before = fixture.counters().commits;
    await fixture.documents.unitOfWork([() => one.insert({ _id: 'a', version: 1 }), () => two.insert({ _id: 'b', version: 1 })]);
    expect(fixture.counters().commits - before).toBe(1);
  });

  test('of a unit of work whose last step is refused nothing is stored', async () => {
    const one = fixture.documents.collection('one');
    const rows = fixture.documents.collection<Doc & { key: string }>('rows', { indexes: [{ fields: ['key'], unique: true }] });
    await rows.insert({ _id: 'a', version: 1, key: 'k' });
    const steps = [() => one.insert({ _id: 'a', version: 1 }), () => rows.write([{ put: { _id: 'b', version: 1, key: 'k' } }])];
    await expect(fixture.documents.unitOfWork(steps)).rejects.toThrow('unique');
    expect(await one.count({})).toBe(0);
  });

  test('one user of a collection cannot keep in memory what another one writes', () => {
    fixture.documents.collection('rows', { mostlyRead: true });
    expect(() => fixture.documents.collection('rows')).toThrow('mostly read');
  });

  describe('a document for the events of a command', () => {
    let documents: DocumentStore;
    beforeEach(async () => {
      await fixture.close();
      fixture = opened({ hasEvents: true });
      ({ documents } = fixture);
    });
    const doc = { _id: 'a', version: 1 };
    const stored = async (): Promise<boolean> => (await (await fixture.reopen()).collection('rows').get('a')) !== undefined;

    test('is stored in their commit', async () => {
      const before = fixture.counters().commits;
      await documents.collection('rows').insertFor('command', doc);
      await fixture.append('other');
      expect(await documents.collection('rows').count({})).toBe(0);
      await fixture.append('command');
      expect(fixture.counters().commits - before).toBe(2);
      expect(await stored()).toBe(true);
    });

    test('is stored as it is completed in their commit, and read as it was before until then', async () => {
      const rows = documents.collection<Doc & { note?: string }>('rows');
      await rows.insertFor('command', doc, () => ({ ...doc, note: 'complete' }));
      expect(await rows.get('a')).toEqual(doc);
      const refused = fixture.append('command', () => {
        throw new Error('conflict');
      });
      await expect(refused).rejects.toThrow('conflict');
      expect(await rows.get('a')).toEqual(doc);
      await fixture.append('command');
      expect(await rows.get('a')).toEqual({ ...doc, note: 'complete' });
      expect(await rows.claim({ _id: 'a', version: 1 }, { set: { note: 'changed' } })).toEqual([{ ...doc, version: 2, note: 'changed' }]);
      await fixture.append('command');
      expect(await rows.get('a')).toMatchObject({ note: 'changed' });
    });

    test('is stored with the next events where the commit of the first has failed', async () => {
      await documents.collection('rows').insertFor('command', doc);
      await Promise.allSettled([fixture.append('command'), fixture.rollback()]);
      expect(await documents.collection('rows').get('a')).toEqual(doc);
      await fixture.append('command');
      expect(await stored()).toBe(true);
    });

    test('is not stored where the process ends before them, nor by events after it was deleted', async () => {
      await documents.collection('rows').insertFor('command', doc);
      await documents.collection('rows').write([{ delete: 'a' }]);
      await fixture.append('command');
      expect(await documents.collection('rows').get('a')).toBeUndefined();
      await documents.collection('rows').insertFor('command', doc);
      expect(await stored()).toBe(false);
    });

    test('waits on where a claim of it fails', async () => {
      const rows = documents.collection('rows');
      await rows.insertFor('command', doc);
      const [claimed] = await Promise.allSettled([rows.claim({ _id: 'a' }, { set: {} }), fixture.rollback()]);
      expect(claimed.status).toBe('rejected');
      expect(await rows.get('a')).toEqual(doc);
      expect(await rows.claim({ _id: 'a' }, { set: {} })).toEqual([{ ...doc, version: 2 }]);
    });
  });

  test('a text inside another field is in a column of its own, and is removed with its field', async () => {
    interface Answer extends Doc {
      answer: { status: number; body?: string } | null;
    }
    const rows = fixture.documents.collection<Answer>('rows', { texts: ['answer.body'] });
    const text = '{"quoted":"text"}';
    const doc = { _id: 'a', version: 1, answer: { status: 201, body: text } };
    await rows.insert(doc);
    expect(await rows.get('a')).toEqual(doc);
    await rows.write([{ put: { ...doc, version: 2, answer: { status: 200 } } }, { insert: { ...doc, _id: 'b', answer: null } }]);
    expect(await rows.get('a')).toEqual({ ...doc, version: 2, answer: { status: 200 } });
    expect(await rows.get('b')).toEqual({ ...doc, _id: 'b', answer: null });
    await rows.claim({ _id: 'a' }, { set: { answer: doc.answer } });
    const again = (await fixture.reopen()).collection<Answer>('rows', { texts: ['answer.body'] });
    expect(await again.get('a')).toEqual({ ...doc, version: 3 });
    await again.claim({ _id: 'a' }, { set: { answer: null } });
    expect(await again.get('a')).toEqual({ ...doc, version: 4, answer: null });
  });

  test('databases are separate', async () => {
    await fixture.documents.collection('rows').insert({ _id: 'a', version: 1 });
    expect(await fixture.neighbour().collection('rows').get('a')).toBeUndefined();
  });

  test('a write rejected by a unique index stores nothing, and the other writes of its turn are stored', async () => {
    const rows = fixture.documents.collection<Doc & { key: string }>('rows', { indexes: [{ fields: ['key'], unique: true }] });
    await rows.insert({ _id: 'a', version: 1, key: 'k' });
    const [refused, other] = await Promise.allSettled([
      rows.write([{ put: { _id: 'b', version: 1, key: 'l' } }, { put: { _id: 'c', version: 1, key: 'k' } }]),
      rows.insert({ _id: 'd', version: 1, key: 'm' }),
    ]);
    expect([refused.status, other.status]).toEqual(['rejected', 'fulfilled']);
    expect(await rows.get('b')).toBeUndefined();
    expect(await rows.get('d')).toBeDefined();
  });

  test('reads and changes rows that are older than a column', async () => {
    const folder = newFolder();
    const engine = Engine.open(folder);
    const doc = { _id: 'a', version: 3, key: 'k', flag: null, text: 'long' };
    engine.define(`CREATE TABLE "svc_test.rows" (rowid INTEGER PRIMARY KEY, _id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, body TEXT NOT NULL, "f_key");
      INSERT INTO "svc_test.rows" (_id, version, body, "f_key") VALUES ('a', 3, '${JSON.stringify(doc)}', 'k')`);
    const rows = embeddedDocumentStore(engine, 'svc_test').collection<typeof doc>('rows', {
      indexes: [{ fields: ['key'] }, { fields: ['flag'] }],
      texts: ['text'],
    });
    expect(await rows.get('a')).toEqual(doc);
    expect(await rows.count({ key: 'k', flag: null })).toBe(1);
    await rows.claim({ _id: 'a' }, { set: { key: 'l' } });
    expect(await rows.get('a')).toEqual({ ...doc, version: 4, key: 'l' });
    await rows.write([{ put: { ...doc, version: 5, text: 'longer' } }]);
    expect(await rows.get('a')).toEqual({ ...doc, version: 5, text: 'longer' });
    engine.close();
  });

  test('packs texts and the rest of documents; an index of a later release finds what is packed', async () => {
    const folder = newFolder();
    const engine = Engine.open(folder, { phrases: ['{"kind":"', '","note":"', 'x'.repeat(20)] });
    const docs = [1, 2].map((n) => ({ _id: `${n}`, version: 1, kind: `kind ${n}`, note: 'x'.repeat(1_000), text: 'x'.repeat(1_000) }));
    const rows = embeddedDocumentStore(engine, 'svc_test').collection<(typeof docs)[0]>('rows', { texts: ['text'] });
    await rows.write(docs.map((insert) => ({ insert })));
    const stored = engine.sql('SELECT octet_length(body) + octet_length(t_text) AS bytes FROM "svc_test.rows"').all();
    expect(Math.max(...stored.map(({ bytes }) => bytes as number))).toBeLessThan(300);
    const all = (page: { docs: unknown[]; left: string[] }) => [page.docs.length, page.left];
    expect(all(await rows.page({}, { limit: 9 }, 4_500))).toEqual([2, []]);
    expect(all(await rows.page({}, { limit: 9 }, 4_000))).toEqual([1, ['2']]); // by the bytes of the documents, not of the rows
    const indexed = embeddedDocumentStore(engine, 'svc_test').collection<(typeof docs)[0]>('rows', { indexes: [{ fields: ['kind'] }] });
    expect(await Array.fromAsync(indexed.find({ kind: 'kind 2' }))).toEqual([docs[1]]);
    engine.close();
    const later = Engine.open(folder);
    expect(
      await Array.fromAsync(
        embeddedDocumentStore(later, 'svc_test')
          .collection('rows', { texts: ['text'] })
          .find({}),
      ),
    ).toEqual(docs);
    later.close();
  });

  test('an index that is new to a large table is logged before it is built, and only then', async () => {
    const folder = newFolder();
    const before = Engine.open(folder);
    for (const name of ['large', 'small']) embeddedDocumentStore(before, 'svc_test').collection(name, { indexes: [{ fields: ['kind'] }] });
    const rows = (count: number): string =>
      `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count}) SELECT n, 1, '{"size":' || n || '}' FROM n`;
    for (const [name, count] of Object.entries({ large: 100_000, small: 1_000 }))
      before.define(`INSERT INTO "svc_test.${name}" (_id, version, body) ${rows(count)}`);
    before.close();

    const logged: object[] = [];
    const engine = Engine.open(folder, { logger: { info: (fields) => logged.push(fields) } });
    const documents = embeddedDocumentStore(engine, 'svc_test');
    const indexes = [{ fields: ['kind'] }, { fields: ['size'], unique: true }, { fields: ['kind', 'size'] }];
    for (const name of ['large', 'small', 'none']) documents.collection(name, { indexes });
    expect(logged).toEqual([
      { collection: 'svc_test.large', fields: ['size'], rows: 100_000 },
      { collection: 'svc_test.large', fields: ['kind', 'size'], rows: 100_000 },
    ]);
    const large = documents.collection<Doc & { size: number }>('large', { indexes });
    expect(await large.highest('size', { kind: null })).toBe(100_000);
    expect(await large.insert({ _id: 'other', version: 1, size: 7 })).toBe(false);
    expect(logged).toHaveLength(2);
    engine.close();
  });

  test('what is committed and not yet on the disk is read after its sync; other documents do not wait', async () => {
    let sync: (() => void) | undefined;
    let isHeld = false;
    const engine = Engine.open(join(newFolder(), 'data'), {
      sync: (_fd, done) => {
        if (isHeld) sync = () => done(null);
        else done(null);
      },
    });
    const turns = async (): Promise<void> => {
      for (let n = 0; n < 10; n += 1) await new Promise(setImmediate);
    };
    const rows = embeddedDocumentStore(engine, 'svc_test').collection<Doc & { key: string }>('rows', { indexes: [{ fields: ['key'] }] });
    const others = embeddedDocumentStore(engine, 'svc_test').collection<Doc>('others');
    await rows.write([{ insert: { _id: 'a', version: 1, key: 'k' } }, { insert: { _id: 'b', version: 1, key: 'k' } }]);
    isHeld = true;
    void rows.claim({ _id: 'a' }, { set: { key: 'l' } });
    await turns();

    const answers: string[] = [];
    const note = (what: string, read: Promise<unknown>): void =>
      void read.then((answer) => answers.push(`${what} ${JSON.stringify(answer)}`));
    const keys = (docs: (Doc & { key: string })[]): string[] => docs.map(({ key }) => key);
    const all = (filter: Parameters<typeof rows.find>[0], limit?: number) =>
      Array.fromAsync(rows.find(filter, limit ? { limit } : {})).then(keys);
    note('get', rows.get('a'));
    note('find', all({ _id: { $in: ['b', 'a'] } }, 9));
    note('filter', all({ key: 'k' }, 9));
    note('stream', all({ key: 'k' }));
    note('count', rows.count({ key: 'k' }));
    note('highest', rows.highest('version', {}));
    note(
      'page',
      rows.page({ key: 'l' }, { limit: 9 }, 999).then(({ docs }) => keys(docs)),
    );
    note(
      'chunks',
      Array.fromAsync(rows.read(['a'], {}, 999)).then((chunks) => keys(chunks.flat())),
    );
    note('insert', rows.insert({ _id: 'a', version: 1, key: 'm' }));
    await turns();
    expect(answers).toEqual([]);
    expect(await rows.get('b')).toEqual({ _id: 'b', version: 1, key: 'k' });
    expect(await all({ _id: 'b' }, 1)).toEqual(['k']);
    expect(await all({ _id: { $in: ['b'] } }, 1)).toEqual(['k']);
    expect(await others.count({})).toBe(0);

    isHeld = false;
    sync?.();
    await turns();
    expect(answers.sort()).toEqual(
      [
        'get {"_id":"a","version":2,"key":"l"}',
        'find ["l","k"]',
        'filter ["k"]',
        'stream ["k"]',
        'count 1',
        'highest 2',
        'page ["l"]',
        'chunks ["l"]',
        'insert false',
      ].sort(),
    );
    engine.close();
  });
});
