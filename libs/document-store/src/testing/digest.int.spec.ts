import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { embeddedDocumentStore } from '../embedded/document-store.ts';
import type { Doc } from '../port.ts';
import { digestOf } from './digest.ts';

const folder = mkdtempSync(join(tmpdir(), 'digest-'));
const engine = Engine.open(folder, { durable: false });
const documents = embeddedDocumentStore(engine, 'svc_test');
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

async function digestWith(name: string, ...docs: (Doc & Record<string, unknown>)[]): Promise<string> {
  const collection = documents.collection<Doc>(name);
  await collection.write(docs.map((insert) => ({ insert })));
  return (await digestOf(collection)).digest;
}

test('the digest depends on the rows, not on the order in which they and their fields were written', async () => {
  const a = { _id: 'a', version: 2, state: { x: 1, list: [{ p: 1, q: null }] } };
  const b = { _id: 'b', version: 1 };
  const digest = await digestWith('one', a, b);
  expect(await digestWith('two', b, { version: 2, state: { list: [{ q: null, p: 1 }], x: 1 }, _id: 'a' })).toBe(digest);
  const others = [
    { ...a, version: 3 },
    { ...a, state: { x: '1', list: a.state.list } },
    { ...a, state: { x: 1, list: [] } },
  ];
  for (const [n, other] of others.entries()) expect(await digestWith(`other_${n}`, other, b)).not.toBe(digest);
  expect(await digestWith('less', a)).not.toBe(digest);
});
