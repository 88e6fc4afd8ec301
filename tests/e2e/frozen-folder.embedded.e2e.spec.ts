import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { eventually, startSystem, type System } from '@svc/testkit';
import { checkedClient } from './testing/checked-client.ts';
import { expectedOf, folders, frozenFolder, killedStarts, type Expected, type Resource } from './testing/frozen-folders.ts';

/** The tables `<kind>_v<n>` of invoicing in a data folder that is in use. */
function rowsOfReadModels(path: string): { table: string; count: number }[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'svc_invoicing.*_v[0-9]*'").all();
  const rows = tables.map(({ name }) => ({
    table: String(name).slice('svc_invoicing.'.length),
    count: db.prepare(`SELECT count(*) AS n FROM "${String(name)}"`).get()?.['n'] as number,
  }));
  db.close();
  return rows;
}

const isLater = (one: string, other: string): boolean => {
  const [[kind, version], [otherKind, otherVersion]] = [one.split('_v'), other.split('_v')];
  return kind === otherKind && Number(version) > Number(otherVersion);
};

test('has a folder of 0.1.0', () => expect(folders).toContain('data-folder-v1'));

describe.each(folders)('%s', (name) => {
  let system: System;
  let expected: Expected;
  beforeAll(async () => {
    const folder = frozenFolder(name);
    expected = expectedOf(folder);
    if (name === 'data-folder-v1') await killedStarts(folder, 10); // The only one that a start rewrites.
    system = await startSystem({}, folder);
  });
  afterAll(() => system?.stop());

  const call: ReturnType<typeof checkedClient> = (...request) => checkedClient(system.url, system.setup.test_key)(...request);
  const list = async (kind: string, query: Record<string, string> = {}): Promise<Resource[]> =>
    (await call<{ data: Resource[] }>('GET', `/${kind}`, { query: { per_page: '100', ...query } })).body.data;
  const invoices = (...statuses: string[]): Resource[] =>
    (expected.invoices ?? []).filter(({ status }) => statuses.includes(status as string));

  test('lists the same resources in the same order', async () => {
    for (const kind of ['invoices', 'receipts', 'customers', 'webhooks', 'products'] as const) {
      const frozen = expected[kind];
      if (!frozen) continue; // Not served when the folder was made.
      expect([kind, (await list(kind)).map(({ id }) => id)]).toEqual([kind, frozen.map(({ id }) => id)]);
    }
    expect((await call<{ meta: { total: number } }>('GET', '/events')).body.meta.total).toBeGreaterThanOrEqual(expected.events);
    expect((await list('events')).length).toBeGreaterThanOrEqual(Math.min(100, expected.events));
  });

  test('is in the format of today', () => {
    const files = readdirSync(join(system.dataDir, 'data'));
    expect(files).not.toContain('rewriting');
    const db = new DatabaseSync(join(system.dataDir, 'data', 'data.sqlite'), { readOnly: true });
    expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 5 });
    db.close();
  });

  test('removes the read models of earlier releases once its own are built', async () => {
    const left = await eventually(() => {
      const rows = rowsOfReadModels(join(system.dataDir, 'data', 'data.sqlite'));
      return rows.filter(({ table, count }) => count > 0 && rows.some((one) => isLater(one.table, table))).length === 0 && rows;
    }, 'the removal of old read models');
    // Other accounts of the folder have rows in it, too.
    const counts = (left || []).flatMap(({ table, count }) => (table.startsWith('invoices_v') ? [count] : []));
    expect(Math.max(...counts)).toBeGreaterThanOrEqual(expected.invoices?.length ?? NaN);
  });

  test('keeps every field of resources at rest', async () => {
    // Earlier builds offered to void what is paid or credited.
    const available_actions = expect.not.arrayContaining(['update']) as unknown;
    for (const frozen of invoices('submitted'))
      expect((await call('GET', `/invoices/${frozen.id}`)).body).toMatchObject({ ...frozen, available_actions });
    // Earlier builds showed a total as due that nobody owes.
    const owesNothing = { amount_due: 0, payment_status: null };
    for (const frozen of invoices('draft', 'failed', 'voided'))
      expect((await call('GET', `/invoices/${frozen.id}`)).body).toMatchObject({ ...frozen, ...owesNothing });
    for (const payment_status of ['unpaid', 'partial', 'paid'])
      for (const found of await list('invoices', { payment_status })) expect(found).toMatchObject({ payment_status });
    for (const kind of ['receipts', 'customers', 'webhooks', 'products'] as const)
      // Deliveries go on when the folder is opened, and their receiver is gone.
      for (const { health: _, ...frozen } of expected[kind] ?? [])
        expect((await call('GET', `/${kind}/${frozen.id}`)).body).toMatchObject(frozen);
    for (const status of ['draft', 'submitted', 'failed'])
      expect((await list('invoices', { status })).map(({ id }) => id)).toEqual(invoices(status).map(({ id }) => id));
  });

  test('continues operations that were under way', async () => {
    const [voiding, ...others] = invoices('voiding') as [Resource];
    expect(others).toEqual([]);
    const voided = await eventually(async () => {
      const { body } = await call<Resource>('GET', `/invoices/${voiding.id}`);
      return body['status'] === 'voided' && body;
    }, 'the void');
    expect(voided).toMatchObject({ number: voiding['number'], total: voiding['total'], fiscal_code: voiding['fiscal_code'] });
    for (const { id, number } of invoices('submitting'))
      expect((await call('GET', `/invoices/${id}`)).body).toMatchObject({ status: 'submitting', number });
  });

  test('continues numbers without a gap, and totals', async () => {
    const numbered = (expected.invoices ?? []).filter(({ number, series }) => number !== null && series === 'INV');
    const count = ({ number }: Resource): number => Number((number as string).replace(/^INV-/, ''));
    const last = Math.max(...numbered.map(count));
    expect(numbered.map(count).sort((a, b) => a - b)).toEqual(Array.from({ length: last }, (_, n) => n + 1));
    const [model] = invoices('submitted').filter(({ series }) => series === 'INV') as [Resource, ...Resource[]];
    const { description, quantity, unit_price } = (model['items'] as Record<string, string>[])[0] as Record<string, string>;
    const items = [
      { description, quantity, unit_price, tax_rate: 20 },
      { description: 'Tea', unit_price: 3 },
    ];
    const { body: draft } = await call<Resource>('POST', '/invoices', {
      body: { customer_id: model['customer_id'], currency: 'EUR', items },
    });
    const { body: invoice } = await call<Resource>('POST', `/invoices/${draft.id}/submit`, { headers: { prefer: 'wait=15' } });
    expect(invoice).toMatchObject({ status: 'submitted', number: `INV-${String(last + 1).padStart(6, '0')}` });
    for (const field of ['subtotal', 'tax_total', 'total', 'tax_breakdown', 'customer', 'issuer', 'currency', 'series'])
      expect([field, invoice[field]]).toEqual([field, model[field]]);
    expect((await list('invoices'))[0]).toEqual(invoice);
  });

  test('reads history and attempts', async () => {
    for (const frozen of invoices('submitted', 'failed', 'voided').filter(({ number }) => number !== null)) {
      const types = (await list(`invoices/${frozen.id}/events`)).map(({ type }) => type);
      expect(types).toEqual(expect.arrayContaining(['created', 'submission_requested', 'numbered']));
      expect((await list(`invoices/${frozen.id}/attempts`)).length).toBeGreaterThan(0);
    }
  });
});
