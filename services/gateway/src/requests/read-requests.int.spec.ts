import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { DomainError } from '@svc/kernel';
import { groupsOf, pageOfGroup } from './read-requests.ts';
import { type RefusedRequest, refusedRequests } from './row.ts';

const folder = mkdtempSync(join(tmpdir(), 'requests-'));
const engine = Engine.open(folder, { durable: false });
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});
const rows = refusedRequests(embeddedDocumentStore(engine, 'svc_gateway'));

/** With more and longer names than are kept. */
const rowOf = (n: number): RefusedRequest => ({
  ...{ _id: `req_${String(n).padStart(8, '0')}`, version: 1, scope: 'test.a', at: `at ${n}`, due_at: 0 },
  ...{ method: 'POST', path: '/v1/customers', route: 'POST /v1/customers', status: 422, code: 'validation_error', message: 'x' },
  ...{ key_id: 'key_1', member_id: null, duration_ms: 1, ip: '::1', idempotency_key: null },
  fields: n % 2 === 0 ? Array.from({ length: 100 }, (_, field) => `${n}_${field}_`.padEnd(100, 'n')) : ['name'],
});
const COUNT = 1_000;
const BYTES = (COUNT / 2) * 100 * 100;
beforeAll(async () => {
  for (let n = 0; n < COUNT; n += 100) await rows.write(Array.from({ length: 100 }, (_, of) => ({ insert: rowOf(n + of) })));
});

let turns: number;
const turn = async (): Promise<void> => void (turns += 1);
beforeEach(() => void (turns = 0));

test('groups are at most a thousand, the last ones first, and are read in pieces', async () => {
  const groups = await groupsOf(rows, 'test.a', turn);
  expect(groups).toHaveLength(1_000);
  expect(groups[0]).toMatchObject({ field: 'name', count: COUNT / 2, last_at: `at ${COUNT - 1}` });
  expect(turns).toBeGreaterThan(BYTES / (128 * 1_024));
});

test('the rows of a group are found in pieces too, whichever page of it', async () => {
  const page = { page: 2, per_page: 3 } as const;
  const { found, total } = await pageOfGroup(rows, { scope: 'test.a' }, { field: 'name' }, page as never, turn);
  expect([found.map(({ at }) => at), total]).toEqual([['at 993', 'at 991', 'at 989'], COUNT / 2]);
  expect(turns).toBeGreaterThan(BYTES / (128 * 1_024));
});

test('between two times only those are read', async () => {
  const filter = { scope: 'test.a', _id: { $gte: rowOf(500)._id, $lt: rowOf(700)._id } };
  const { found, total } = await pageOfGroup(rows, filter, { field: 'name' }, { page: 1, per_page: 100 } as never, turn);
  expect([found.at(0)?.at, found.at(-1)?.at, total]).toEqual(['at 699', 'at 501', 100]);
});

test('reading ends where a turn throws, as it does for a caller who has gone', async () => {
  const gone = async (): Promise<void> => {
    if ((turns += 1) > 3) throw new DomainError('service_unavailable', 'The caller has gone.');
  };
  await expect(groupsOf(rows, 'test.a', gone)).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(turns).toBe(4);
});
