import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { reporting, type Visited } from '@svc/document-store/testing/visited';
import { Engine } from '@svc/embedded';
import { soon } from '@svc/kernel';
import { auditRows } from './audit/store.ts';
import { pageOf } from './page-of.ts';

/** More rows than a statement of a request may visit. */
const [MANY, MOST] = [21_000, 20_000];
const folder = mkdtempSync(join(tmpdir(), 'page-of-'));
const engine = Engine.open(folder, { durable: false });
const seen: Visited[] = [];
const rows = auditRows(
  embeddedDocumentStore(
    reporting(engine, (visited) => seen.push(visited)),
    'svc_gateway',
  ),
);
const idOf = (n: number): string => `aud_${String(n).padStart(6, '0')}`;
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

test('a page of a list of the console, and its total, visit few entries with a statement', async () => {
  const entry = (n: number) => ({ _id: idOf(n), version: 1, account: 'acct_1', actor_id: `mem_${n % 2}`, action: 'api_key.updated' });
  await rows.write(Array.from({ length: MANY }, (_, n) => ({ insert: { ...entry(n), due_at: 1 } as never })));
  seen.length = 0;
  for (const [filter, step] of [
    [{}, 1],
    [{ actor_id: 'mem_1' }, 2],
    [{ actor_id: 'mem_1', action: 'api_key.updated' }, 2],
  ] as const) {
    const asked = { account: 'acct_1', ...filter };
    const { found, total } = await pageOf(rows, asked, { page: 400, per_page: 20 }, soon);
    expect(total).toBe(MANY / step);
    expect(found.map(({ _id }) => _id)).toEqual(Array.from({ length: 20 }, (_, n) => idOf(MANY - 1 - (399 * 20 + n) * step)));
    expect((await pageOf(rows, asked, { page: 2_000, per_page: 20 }, soon)).found).toEqual([]);
  }
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.filter(({ entries }) => entries > MOST)).toEqual([]);
});
