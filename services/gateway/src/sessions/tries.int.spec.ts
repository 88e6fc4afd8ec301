import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { FakeClock } from '@svc/kernel';
import { memoryLimiter } from '../limiter/counters.ts';
import { sessionStore } from './store.ts';
import { createSignInTries, type Tries } from './tries.ts';

const folder = mkdtempSync(join(tmpdir(), 'tries-'));
const engine = Engine.open(folder, { durable: false });
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

test('each of 300 tries of one e-mail at once at two replicas is counted, and none fails', async () => {
  const clock = new FakeClock();
  const { tries: rows } = sessionStore(embeddedDocumentStore(engine, 'svc_gateway'));
  const replicas = [0, 1].map(() => createSignInTries({ rows, limiter: memoryLimiter(clock), clock }));
  const all = Array.from({ length: 300 }, (_, n) => replicas[n % 2]?.begin('ana@example.com', false));
  const [first] = await Promise.all(all);
  const [row] = await Array.fromAsync(rows.find({ due_at: { $gt: 0 } }));
  expect(row?.count).toBe(300);
  await first?.succeeded();
  expect((await rows.get(row?._id ?? ''))?.count).toBe(0);
});

test('an e-mail that is tried a few times is forgotten after an hour, one that is tried often after a day', async () => {
  const clock = new FakeClock();
  const { tries: rows } = sessionStore(embeddedDocumentStore(engine, 'svc_gateway'));
  const tries = createSignInTries({ rows, limiter: memoryLimiter(clock), clock });
  const kept = async (email: string, times: number): Promise<number> => {
    const before = new Set((await Array.fromAsync(rows.find({}))).map(({ _id }) => _id));
    for (let n = 0; n < times; n += 1) await tries.begin(email, false);
    const row = (await Array.fromAsync(rows.find({}))).find(({ _id }: Tries) => !before.has(_id));
    return (row?.due_at ?? 0) - clock.now();
  };
  expect(await kept('once@example.com', 1)).toBe(3_600_000);
  expect(await kept('often@example.com', 4)).toBe(24 * 3_600_000);
});
