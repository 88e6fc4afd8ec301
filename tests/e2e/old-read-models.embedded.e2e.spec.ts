import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FIRST_FORMAT_COPY } from '@svc/embedded/first-format';
import { servedProjections } from '@svc/invoicing';
import { eventually, startSystem, type System } from '@svc/testkit';
import { checkedClient } from './testing/checked-client.ts';
import { expectedOf, frozenFolder, type Resource } from './testing/frozen-folders.ts';

/** So long this release's read models are not built, as those of a large folder. */
const BUILDING_MS = 30_000;

const RENEWED_MS = 1_000;
const HOLDER = 'another process';

/** Another process has the leases of the read models. Release 0.1.0 has none of products. Returns what ends that process. */
function holdBack(folder: string): () => void {
  const data = join(folder, 'data');
  const withData = (work: (db: DatabaseSync) => void): void => {
    const db = new DatabaseSync(join(data, 'data.sqlite'), { timeout: 5_000 });
    // It holds the write lock, which the start does not wait for, no longer than it writes.
    db.exec('PRAGMA synchronous = OFF');
    work(db);
    db.close();
  };
  withData((db) => {
    const insert = db.prepare('INSERT OR REPLACE INTO "svc_invoicing.leases" (_id, version, body) VALUES (?, 1, ?)');
    const lists = servedProjections.filter(({ category }) => category !== 'product');
    for (const name of [...lists.map((list) => list.name), 'terms_v2'])
      insert.run(name, JSON.stringify({ _id: name, version: 1, holder: HOLDER, until: Date.now() + BUILDING_MS }));
  });
  const renewing = setInterval(() => {
    // Before, nothing else may have the folder of 0.1.0 open.
    if (!existsSync(join(data, FIRST_FORMAT_COPY))) return;
    withData((db) => db.prepare(`UPDATE "svc_invoicing.leases" SET version = version + 1 WHERE body ->> 'holder' = ?`).run(HOLDER));
  }, RENEWED_MS);
  return () => clearInterval(renewing);
}

/** Without what is as of now where one document is read: how often the authority was asked. */
function atRest({ fiscal, ...document }: Resource): object {
  const { attempts, last_attempt_at, next_attempt_at, ...rest } = (fiscal ?? {}) as Record<string, unknown>;
  return { ...document, fiscal: fiscal && rest };
}

const systems: System[] = [];
afterAll(() => Promise.all(systems.map((system) => system.stop())));

async function lists(name: string): Promise<void> {
  const folder = frozenFolder(name);
  const expected = expectedOf(folder);
  const end = holdBack(folder);
  const system = await startSystem({}, folder);
  systems.push(system);
  const call: ReturnType<typeof checkedClient> = (...request) => checkedClient(system.url, system.setup.test_key)(...request);
  const list = async (path: string): Promise<Resource[]> => (await call<{ data: Resource[] }>('GET', path)).body.data;
  const statusOf = async (path: string): Promise<number> => (await call('GET', path)).status;

  for (const kind of ['invoices', 'receipts', 'customers'] as const)
    expect((await list(`/${kind}?per_page=100`)).map(({ id }) => id)).toEqual((expected[kind] ?? []).map(({ id }) => id));
  for (const found of await list('/invoices?per_page=100')) {
    const { body } = await call<Resource>('GET', `/invoices/${found.id}`);
    expect(atRest(found)).toEqual(atRest(body));
  }

  const drafts = await list('/invoices?status=draft&sort=created_at');
  expect(drafts).not.toEqual([]);
  for (const one of drafts) expect(one).toMatchObject({ amount_due: 0, payment_status: null });
  const draft = { customer_id: drafts[0]?.['customer_id'], items: [{ description: 'Tea', unit_price: 3 }] };
  const { body: made } = await call<Resource>('POST', '/invoices', { body: draft });
  expect((await list('/invoices'))[0]).toEqual(made);

  const newFields = ['/invoices?payment_status=unpaid', '/customers?email=b@x.example', '/receipts?sort=number'];
  const waiting = [...newFields, '/customers?q=b', '/invoices?q=b', '/products?q=b'];
  expect(await Promise.all(waiting.map(statusOf))).toEqual(waiting.map(() => 503));
  end();
  for (const path of waiting) await eventually(async () => (await statusOf(path)) === 200, 'the read models of this release');
  for (const found of await list('/invoices?payment_status=unpaid')) expect(found).toMatchObject({ payment_status: 'unpaid' });
  expect((await list('/invoices'))[0]).toEqual(made);
}

test('lists are read from the read models of an earlier release until those of this one are built, and show what documents show', async () => {
  await lists('data-folder-v1');
});
