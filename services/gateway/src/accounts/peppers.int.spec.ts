import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore, type Collection } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { newKeyRing, parseKeyRing } from '@svc/service';
import { loadPeppers, type PepperRow } from './peppers.ts';

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

test('a ring with another key is rejected by an error that names the setting and shows neither key', async () => {
  const [right, wrong] = [newKeyRing(), newKeyRing()];
  await loadPeppers(rows, parseKeyRing(right));
  const refused = await loadPeppers(rows, parseKeyRing(wrong)).catch((error: unknown) => error as Error);
  expect(String(refused)).toContain('SECRETS_KEY does not open what this database holds');
  for (const ring of [right, wrong]) expect(String(refused)).not.toContain(ring.slice('v1:'.length));
  const both = `${right},v2:${wrong.slice('v1:'.length)}`;
  await expect(loadPeppers(rows, parseKeyRing(both))).resolves.toBeDefined();
});
