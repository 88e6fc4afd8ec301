import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import type { Doc } from '../port.ts';
import { keepSpans } from '../testing/traced.ts';
import { embeddedDocumentStore } from './document-store.ts';

const { inRequest, spans } = keepSpans();
const all = async <T>(found: AsyncIterable<T>): Promise<void> => {
  for await (const _ of found);
};

test('each call within a request is a span of the embedded engine, named by collection and kind of statement', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'documents-'));
  const engine = Engine.open(folder);
  const rows = embeddedDocumentStore(engine, 'svc_test').collection<Doc & { key: string }>('rows', { indexes: [{ fields: ['key'] }] });
  const calls: [string, () => Promise<unknown>][] = [
    ['INSERT', () => rows.insert({ _id: 'id_1', version: 1, key: 'secret' })],
    ['SELECT', () => rows.get('id_1')],
    ['SELECT', () => all(rows.find({ key: 'secret' }, { limit: 10 }))],
    ['SELECT', () => all(rows.find({ key: 'secret' }))],
    ['SELECT', () => rows.count({ key: 'secret' })],
    ['SELECT', () => rows.highest('key', {})],
    ['SELECT', () => rows.page({ key: 'secret' }, { limit: 10 }, 1_000)],
    ['SELECT', () => all(rows.read(['id_1'], {}, 1_000))],
    ['UPDATE', () => rows.claim({ key: 'secret' }, { set: { key: 'other' } })],
    ['BATCH', () => rows.write([{ delete: 'id_1' }])],
  ];
  for (const [, call] of calls) await inRequest(call);
  await rows.get('id_1'); // outside a request
  expect(spans().map(({ name }) => name)).toEqual(calls.map(([operation]) => `${operation} rows`));
  expect(spans()[0]?.attributes).toEqual({
    'db.system.name': 'sqlite',
    'db.operation.name': 'INSERT',
    'db.collection.name': 'rows',
    'db.namespace': 'svc_test',
  });
  expect(JSON.stringify(spans().map(({ name, attributes }) => [name, attributes]))).not.toMatch(/id_1|secret/);
  engine.close();
  rmSync(folder, { recursive: true });
});
