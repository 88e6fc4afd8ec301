import type { ListEnvelope } from '@svc/contracts/http/list';
import { runProjection } from '@svc/event-store';
import { JsonStream, historyPage, listProjection } from '@svc/service';
import { wholeOf } from '@svc/service/lists/testing/whole';
import { createInvoice, invoices, invoicesProjection } from '../invoice/invoices.ts';
import { documentFilter, documentOrders } from '../document/list.ts';
import { reviseInvoice } from '../invoice/write.ts';
import { createCustomer } from '../customer/write.ts';
import { callerOf, dataFolder, openSystem } from '../testing/open-system.ts';
import type { InvoiceResource } from '@svc/contracts/invoice/resource';

const COUNT = 30;
const folder = dataFolder();
const system = openSystem(folder.path);
const { context, engine, ids } = system;
const running = runProjection(invoicesProjection, system.documents, system.subscribing);
const identity = () => ({ ...callerOf(system), commandId: ids.next() });
/** Some 120 KiB of JSON. */
const items = Array.from({ length: 60 }, () => ({ description: 'ë'.repeat(1_000), quantity: 1, unit_price: 10, tax_rate: 20 }));

const made: InvoiceResource[] = [];
beforeAll(async () => {
  const customer = await createCustomer({ context, customers: system.customers, identity: identity() }, { name: 'Ana' });
  for (let n = 0; n < COUNT; n += 1)
    made.unshift(await createInvoice({ context, identity: identity() }, { customer_id: customer.id, items }));
});
afterAll(async () => {
  await running.subscription.stop();
  engine.close();
  folder.remove();
});

function page(query: { page?: number; per_page?: number; sort?: string; currency?: string[] } = {}) {
  const request = { identity: identity(), query: { page: 1, per_page: 100, ...query }, url: '/v1/invoices?a=b' } as never;
  return listProjection({
    ...{ running, publicUrl: 'https://x', request, orders: documentOrders },
    filter: documentFilter(query as never, 'UTC'),
  });
}
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a page of large invoices', () => {
  test.each<[string, { sort?: string; currency?: string[] }]>([
    ['of everything', {}],
    ['oldest first', { sort: 'created_at' }],
    ['of a filter', { currency: ['EUR'], sort: '-total' }],
  ])('%s has all invoices, complete and in order', async (_what, query) => {
    const answer = await page(query);
    expect(answer).toBeInstanceOf(JsonStream);
    const { data, meta } = await wholeOf(answer);
    expect(data).toEqual(plain(query.sort === 'created_at' ? made.toReversed() : made));
    expect(meta).toEqual({ current_page: 1, per_page: 100, total: COUNT, last_page: 1 });
  });

  test('consecutive pages neither overlap nor skip an invoice', async () => {
    const pages = await Promise.all([1, 2, 3].map(async (n) => wholeOf<{ id: string }>(await page({ page: n, per_page: 13 }))));
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(made.map(({ id }) => id));
  });

  test('holds no read transaction while its reader pauses: the WAL can be truncated, and later rows are sent as they are by then', async () => {
    const answer = (await page()) as JsonStream;
    const pieces = answer.iterator({ destroyOnReturn: false });
    let text = String((await pieces.next()).value);

    const last = made.at(-1) as InvoiceResource;
    const named = { id: last.id, ifMatch: undefined };
    await reviseInvoice({ context, identity: identity() }, { ...named, body: { metadata: { colour: 'blue' } } });
    await running.barrier();
    await Promise.all([1, 2, 3].map((n) => new Promise((next) => setTimeout(next, 10 * n))));
    expect(engine.sql('PRAGMA wal_checkpoint(TRUNCATE)').get()).toMatchObject({ busy: 0, log: 0 });

    for await (const piece of pieces) text += String(piece);
    const { data } = JSON.parse(text) as ListEnvelope<InvoiceResource>;
    expect(data.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
    expect(data.at(-1)).toMatchObject({ version: 2, metadata: { colour: 'blue' } });
  });
});

test('an invoice that no longer matches when its part of the page is read is skipped', async () => {
  const answer = (await page({ currency: ['EUR'], sort: '-total' })) as JsonStream;
  const pieces = answer.iterator({ destroyOnReturn: false });
  let text = String((await pieces.next()).value);
  const { id, currency } = made.at(-3) as InvoiceResource;
  const revise = (body: object) => reviseInvoice({ context, identity: identity() }, { id, ifMatch: undefined, body });
  await revise({ currency: 'USD' });
  await running.barrier();
  for await (const piece of pieces) text += String(piece);
  const { data, meta } = JSON.parse(text) as ListEnvelope<InvoiceResource>;
  expect(data.map((one) => one.id)).toEqual(made.map((one) => one.id).filter((one) => one !== id));
  expect(data.every((one) => one.currency === 'EUR')).toBe(true);
  expect(meta.total).toBe(COUNT);
  await revise({ currency });
});

const turn = () => Promise.resolve();

test('the history of a large invoice waits for a permit for each event, and reads one event before the first permit', async () => {
  const { id } = made[1] as InvoiceResource;
  for (let n = 0; n < 5; n += 1)
    await reviseInvoice({ context, identity: identity() }, { id, ifMatch: undefined, body: { items: items.slice(n + 1) } });
  let read = 0;
  const counting: typeof context.store.read = async (...asked) => {
    const events = await context.store.read(...asked);
    read += events.length;
    return events;
  };
  const history = await invoices.history(
    { context: { ...context, store: { ...context.store, read: counting } }, identity: identity() },
    id,
  );
  read = 0;
  const turns: { bytes: number; read: number }[] = [];
  const refuse = async (bytes: number) => {
    turns.push({ bytes, read });
    if (bytes > 64 * 1024) throw new Error('no permit');
  };
  await expect(Array.fromAsync(history.entries({ from: 0, to: 100 }, refuse))).rejects.toThrow('no permit');
  expect(turns).toEqual([
    { bytes: 0, read: 0 },
    { bytes: expect.any(Number), read: 1 },
  ]);
  turns.length = read = 0;
  const take = async (bytes: number) => void turns.push({ bytes, read });
  expect(await Array.fromAsync(history.entries({ from: 5, to: 6 }, take))).toHaveLength(1);
  const pieces = turns.filter(({ bytes }) => bytes > 0);
  expect(pieces.map((piece) => piece.read)).toEqual(pieces.map((_, n) => n + 1)); // each piece reads one event
  expect(pieces.length).toBeGreaterThanOrEqual(6);
});

test('the history of a large invoice has only the entries of the page', async () => {
  const { id } = made[0] as InvoiceResource;
  const other = (n: number) => items.map((item) => ({ ...item, quantity: n + 2 }));
  for (let n = 0; n < 5; n += 1)
    await reviseInvoice({ context, identity: identity() }, { id, ifMatch: undefined, body: { items: other(n) } });
  const history = await invoices.history({ context, identity: identity() }, id);
  const entries = await Array.fromAsync(history.entries({ from: 0, to: 100 }, turn));
  expect([history.total, entries.map(({ version }) => version)]).toEqual([6, [1, 2, 3, 4, 5, 6]]);
  expect(await Array.fromAsync(history.entries({ from: 2, to: 4 }, turn))).toEqual(entries.slice(2, 4));

  const asked = (query: object) => ({ query: { page: 1, per_page: 100, ...query }, url: '/v1/x', turn }) as never;
  const answer = await historyPage(history, asked({}), 'https://x');
  expect((await wholeOf(answer)).data).toEqual(plain(entries));
  const first = await wholeOf(await historyPage(history, asked({ per_page: 1 }), 'https://x'));
  expect(first).toMatchObject({ data: [entries[0]], meta: { total: 6, last_page: 6 } });
  expect(await wholeOf(await historyPage(history, asked({ page: 3 }), 'https://x'))).toMatchObject({ data: [], meta: { total: 6 } });
});
