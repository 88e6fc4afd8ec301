import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { FakeClock } from '@svc/kernel';
import { embeddedDocumentStore } from './embedded/document-store.ts';
import type { Doc, DocumentStore } from './port.ts';
import { asRestored, BEGINNING, findRestored, INSTALLATION } from './restored.ts';

let folder: string;
let engine: Engine;
let documents: DocumentStore;
const clock = new FakeClock();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'restored-'));
  engine = Engine.open(folder, { durable: false });
  documents = embeddedDocumentStore(engine, 'svc_test');
});
afterEach(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

const find = (mark: () => Promise<unknown> = async () => 'mark') => findRestored(documents, clock, mark);
/** What a restore leaves of the database. */
const restore = () => documents.collection(BEGINNING).write([{ delete: BEGINNING }]);

test('a new database is not restored, at the first start and at later ones', async () => {
  expect([await find(), await find()]).toEqual([null, null]);
});

test('a database that was used and lacks what is rebuilt is restored; later starts find the same', async () => {
  await find();
  await restore();
  const found = await find(async () => ({ until: '7' }));
  expect(found).toEqual({ at: expect.stringContaining('T'), mark: { until: '7' } });
  await clock.advance(60_000);
  expect(await find(async () => ({ until: '9' }))).toEqual(found);
});

test('a second restore is found too', async () => {
  await find();
  await restore();
  await find(async () => 1);
  await restore();
  expect(await find(async () => 2)).toMatchObject({ mark: 2 });
});

test('replicas that start at once agree', async () => {
  await find();
  await restore();
  let starts = 0;
  const found = await Promise.all(Array.from({ length: 5 }, () => find(async () => (starts += 1))));
  expect(new Set(found.map((one) => JSON.stringify(one))).size).toBe(1);
});

test('replicas that start a new database at once agree that it is new', async () => {
  expect(await Promise.all(Array.from({ length: 5 }, () => find()))).toEqual([null, null, null, null, null]);
});

test('a database counts as new when the first start ended before it was noted as used', async () => {
  await find();
  await documents.collection(INSTALLATION).write([{ delete: INSTALLATION }]);
  expect(await find()).toBeNull();
  expect(await documents.collection(INSTALLATION).get(INSTALLATION)).toBeDefined();
});

test('a database is restored although a process started on it while it was empty', async () => {
  await find();
  const backup = await documents.collection(INSTALLATION).get(INSTALLATION);
  await documents.collection(INSTALLATION).write([{ delete: INSTALLATION }]);
  await restore();
  await clock.advance(1_000);
  expect(await find()).toBeNull();
  await documents.collection(INSTALLATION).write([{ delete: INSTALLATION }, { insert: backup as Doc }]);
  expect(await find()).toMatchObject({ mark: 'mark' });
  expect(await find(async () => 'later')).toMatchObject({ mark: 'mark' });
});

test.each([
  ['all of which came back', async () => void (await find())],
  ['that an earlier release made', async () => undefined],
])('a database %s is found restored when it is said to be', async (_, begin) => {
  await begin();
  await asRestored(documents, clock);
  expect(await find()).toMatchObject({ mark: 'mark' });
  expect(await find()).toMatchObject({ mark: 'mark' });
});

test('a mark that fails is made at the next start', async () => {
  await find();
  await restore();
  await expect(find(() => Promise.reject(new Error('no head')))).rejects.toThrow('no head');
  expect(await find()).toMatchObject({ mark: 'mark' });
});
