import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { findRestored } from '@svc/document-store/restored';
import { Engine } from '@svc/embedded';
import { systemClock } from '@svc/kernel';
import { asRestoredFolder } from './restored-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'restored-'));
afterAll(() => rmSync(folder, { recursive: true }));

const found = async (): Promise<unknown[]> => {
  const engine = Engine.open(folder, { durable: false });
  const of = (database: string) => findRestored(embeddedDocumentStore(engine, database), systemClock, async () => 'mark');
  const all = [await of('svc_gateway'), await of('svc_invoicing'), await of('svc_webhooks')];
  engine.close();
  return all;
};

test('a folder without a database is refused, and nothing is made in it', async () => {
  await expect(asRestoredFolder(folder)).rejects.toThrow('has no data.sqlite');
  expect(readdirSync(folder)).toEqual([]);
});

test('a folder that a process holds is refused', async () => {
  const engine = Engine.open(folder, { durable: false });
  await expect(asRestoredFolder(folder)).rejects.toThrow('another process uses the data folder');
  engine.close();
});

test('the next start of every service that can be restored finds that it was, once', async () => {
  expect(await found()).toEqual([null, null, null]);
  await asRestoredFolder(folder);
  const restored = expect.objectContaining({ mark: 'mark' });
  const first = await found();
  expect(first).toEqual([restored, restored, restored]);
  expect(await found()).toEqual(first);
});
