import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { FakeClock } from '@svc/kernel';
import { type CountedBytes, countedIn, createByteCounter } from './counted-bytes.ts';
import { embeddedDocumentStore } from './embedded/document-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'counted-'));
const engine = Engine.open(folder, { durable: false });
const rows = embeddedDocumentStore(engine, 'svc_test').collection<CountedBytes>('counted');
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

const HOUR = 3_600_000;
const clock = new FakeClock();
let logged = 0;
const counter = (of = rows) =>
  createByteCounter({ rows: of, clock, logger: { error: () => (logged += 1) }, removedAt: (now) => now + 48.1 * HOUR });
const add = async (account: string, bytes: number, one = counter()): Promise<void> => {
  one.add(account, bytes);
  await one.write();
};
const counted = async (account: string): Promise<number> => {
  const row = await rows.get(account);
  return row ? countedIn(row, clock.now()) : 0;
};

test('replicas add to one row of an account, and lose nothing of each other', async () => {
  await Promise.all(Array.from({ length: 20 }, () => add('acct_1', 10)));
  expect([await counted('acct_1'), await counted('acct_2')]).toEqual([200, 0]);
});

test('bytes count until they are removed, an hour more at most, and the row holds no hour that has passed', async () => {
  await add('acct_3', 100);
  await clock.advance(24 * HOUR);
  await add('acct_3', 10);
  await clock.advance(24 * HOUR);
  expect(await counted('acct_3')).toBe(110);
  await clock.advance(1.2 * HOUR);
  expect(await counted('acct_3')).toBe(10);
  await add('acct_3', 1);
  expect(Object.values((await rows.get('acct_3'))?.hours ?? {})).toEqual([10, 1]);
  await clock.advance(100 * HOUR);
  expect(await counted('acct_3')).toBe(0);
});

test('what cannot be written waits for the next time, with what is added meanwhile, and is said in the log', async () => {
  let isAway = true;
  const one = counter({ ...rows, get: (id) => (isAway ? Promise.reject(new Error('the store is away')) : rows.get(id)) });
  await add('acct_5', 7, one);
  expect([one.waiting('acct_5'), await counted('acct_5'), logged]).toEqual([7, 0, 1]);
  isAway = false;
  await add('acct_5', 5, one);
  expect([one.waiting('acct_5'), await counted('acct_5')]).toEqual([0, 12]);
});
