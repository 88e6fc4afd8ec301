import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { FakeClock } from '@svc/kernel';
import { KEPT_MS } from '../idempotency/row.ts';
import { addKept, exportedIn, keptBytesRows, keptIn, setExported } from './kept-bytes.ts';

const folder = mkdtempSync(join(tmpdir(), 'kept-'));
const engine = Engine.open(folder, { durable: false });
const rows = keptBytesRows(embeddedDocumentStore(engine, 'svc_gateway'));
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

const HOUR = 3_600_000;
const clock = new FakeClock();
const add = (account: string, bytes: number): Promise<void> => addKept(rows, clock.now(), { account, bytes, until: clock.now() + KEPT_MS });
const kept = async (account: string): Promise<number> => {
  const row = await rows.get(account);
  return row ? keptIn(row, clock.now()) : 0;
};

test('replicas add to one row of an account, and lose nothing of each other', async () => {
  await Promise.all(Array.from({ length: 20 }, () => add('acct_1', 10)));
  expect([await kept('acct_1'), await kept('acct_2')]).toEqual([200, 0]);
});

test('bytes count for 48 hours, an hour more at most, and the row holds no hour that has passed', async () => {
  await add('acct_3', 100);
  await clock.advance(24 * HOUR);
  await add('acct_3', 10);
  await clock.advance(24 * HOUR);
  expect(await kept('acct_3')).toBe(110);
  await clock.advance(1.1 * HOUR);
  expect(await kept('acct_3')).toBe(10);
  await add('acct_3', 1);
  expect(Object.values((await rows.get('acct_3'))?.hours ?? {})).toEqual([10, 1]);
  await clock.advance(100 * HOUR);
  expect(await kept('acct_3')).toBe(0);
});

test('an export counts by what it has by now, however often that is said, until it is removed or would be', async () => {
  const say = (id: string, bytes: number, hours = 25) =>
    setExported(rows, clock.now(), { account: 'acct_4', id, bytes, until: clock.now() + hours * HOUR });
  const exported = async (): Promise<number> => exportedIn((await rows.get('acct_4'))!, clock.now());
  await Promise.all([say('exp_1', 100), say('exp_2', 50), add('acct_4', 7)]);
  await say('exp_1', 300);
  await say('exp_1', 300);
  expect([await exported(), await kept('acct_4')]).toEqual([350, 7]);
  await say('exp_1', 0);
  expect(await exported()).toBe(50);
  await clock.advance(26 * HOUR);
  expect(await exported()).toBe(0);
  await say('exp_3', 1);
  expect(Object.keys((await rows.get('acct_4'))?.exports ?? {})).toEqual(['exp_3']);
});
