import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { countedIn, createByteCounter } from '@svc/document-store/counted-bytes';
import { Engine } from '@svc/embedded';
import { FakeClock } from '@svc/kernel';
import { exportedIn, keptBytesRows, setExported } from './kept-bytes.ts';

const folder = mkdtempSync(join(tmpdir(), 'kept-'));
const engine = Engine.open(folder, { durable: false });
const rows = keptBytesRows(embeddedDocumentStore(engine, 'svc_gateway'));
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

const HOUR = 3_600_000;
const clock = new FakeClock();
const counter = createByteCounter({ rows, clock, logger: { error: () => undefined }, removedAt: (now) => now + 48 * HOUR });

test('an export counts by what it has by now, however often that is said, until it is removed or would be', async () => {
  const say = (id: string, bytes: number, hours = 25) =>
    setExported(rows, clock.now(), { account: 'acct_4', id, bytes, until: clock.now() + hours * HOUR });
  const exported = async (): Promise<number> => exportedIn((await rows.get('acct_4'))!, clock.now());
  counter.add('acct_4', 7);
  await Promise.all([say('exp_1', 100), say('exp_2', 50), counter.write()]);
  await say('exp_1', 300);
  await say('exp_1', 300);
  expect([await exported(), countedIn((await rows.get('acct_4'))!, clock.now())]).toEqual([350, 7]);
  await say('exp_1', 0);
  expect(await exported()).toBe(50);
  await clock.advance(26 * HOUR);
  expect(await exported()).toBe(0);
  await say('exp_3', 1);
  expect(Object.keys((await rows.get('acct_4'))?.exports ?? {})).toEqual(['exp_3']);
});
