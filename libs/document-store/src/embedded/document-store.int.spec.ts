import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { compareAndSetSuite } from '../compare-and-set.suite.ts';
import { documentStoreSuite } from '../document-store.suite.ts';
import { jobsSuite } from '../jobs.suite.ts';
import { keptSuite } from '../kept.suite.ts';
import { leaseSuite } from '../lease.suite.ts';
import { pageSuite } from '../page.suite.ts';
import type { Doc } from '../port.ts';
import { embeddedDocumentStore } from './document-store.ts';

const opened = () => {
  const folder = mkdtempSync(join(tmpdir(), 'documents-'));
  let engine = Engine.open(folder);
  return {
    documents: embeddedDocumentStore(engine, 'svc_test'),
    async reopen() {
      engine.close();
      engine = Engine.open(folder);
      return embeddedDocumentStore(engine, 'svc_test');
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
pageSuite('embedded', async () => opened());
leaseSuite('embedded', async () => opened());
jobsSuite('embedded', async () => opened());

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
});
