import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { FakeClock } from '@svc/kernel';
import { memoryLimiter } from '../limiter/counters.ts';
import { sessionStore } from './store.ts';
import { createSignInTries } from './tries.ts';

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
  const all = Array.from({ length: 300 }, (_, n) =>
    replicas[n % 2]?.begin({ email: 'ana@example.com', address: `10.0.${n >> 8}.${n & 255}` }, false),
  );
  const [first] = await Promise.all(all);
  const [row] = await Array.fromAsync(rows.find({ due_at: { $gt: 0 } }));
  expect(row?.count).toBe(300);
  await first?.succeeded();
  expect((await rows.get(row?._id ?? ''))?.count).toBe(0);
});
