import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore, type Collection } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { newKeyRing, parseKeyRing } from '@svc/service';
import { boundText } from '@svc/service/secrets/testing/bound-text';
import { loadPeppers, PEPPERS, type PepperRow } from './peppers.ts';

let folder: string;
let engine: Engine;
let rows: Collection<PepperRow>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'peppers-'));
  engine = Engine.open(folder, { durable: false });
  rows = embeddedDocumentStore(engine, 'svc_gateway').collection<PepperRow>('peppers');
});
afterEach(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

test('processes that start concurrently, and one that starts later, compute equal hashes', async () => {
  const ring = parseKeyRing(newKeyRing());
  const all = [...(await Promise.all([1, 2, 3].map(() => loadPeppers(rows, ring)))), await loadPeppers(rows, ring)];
  expect(new Set(all.map(({ hash }) => hash('svc_test_x'))).size).toBe(1);
});

test('a pepper that a later release bound to its row is read there, and in no other row', async () => {
  const key = Buffer.alloc(32, 7);
  const ring = parseKeyRing(`v1:${key.toString('base64')}`);
  const sealed = boundText(key, Buffer.alloc(32, 1), { collection: PEPPERS, id: '1' });
  await rows.insert({ _id: '1', version: 1, sealed });
  expect((await loadPeppers(rows, ring)).hash('svc_test_x')).toMatch(/^1\./);
  await rows.insert({ _id: '2', version: 1, sealed });
  await expect(loadPeppers(rows, ring)).rejects.toThrow('pepper 2');
});

test('a ring with another key is rejected by an error that names the setting and shows neither key', async () => {
  const [right, wrong] = [newKeyRing(), newKeyRing()];
  await loadPeppers(rows, parseKeyRing(right));
  const refused = await loadPeppers(rows, parseKeyRing(wrong)).catch((error: unknown) => error as Error);
  expect(String(refused)).toContain('SECRETS_KEY does not open what this database holds');
  for (const ring of [right, wrong]) expect(String(refused)).not.toContain(ring.slice('v1:'.length));
  const both = `${right},v2:${wrong.slice('v1:'.length)}`;
  await expect(loadPeppers(rows, parseKeyRing(both))).resolves.toBeDefined();
});
