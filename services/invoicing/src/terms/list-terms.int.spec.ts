import type { RouteName } from '@svc/contracts/routes';
import type { Collection } from '@svc/document-store';
import type { Recorded } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { invoiceProcess } from '../invoice/process.ts';
import { outcomeEvent, registration } from '../document/testing/outcomes.ts';
import { eraseCustomer, createCustomer } from '../customer/write.ts';
import { serve } from '../testing/serve.ts';
import { callerOf } from '../testing/open-system.ts';
import { foldTerms, fieldsOf, termsIndexes, termsKinds, type TermsKind, type TermsRow } from './terms.ts';
import { createTerms, termsName } from './list-terms.ts';
import { termsSources } from '../registrations.ts';

const served = serve();
const { call, system } = served;
beforeAll(served.start);
afterAll(served.stop);

const identity = () => callerOf(system);
const customer = async (body: object): Promise<string> =>
  (await createCustomer({ context: system.context, customers: system.customers, identity: identity() }, body as { name: string })).id;
const erase = (id: string) =>
  eraseCustomer({ context: system.context, customers: system.customers, identity: identity() }, { id, ifMatch: undefined });
const line = (unit_price: number | string) => ({ items: [{ description: 'Tea', unit_price, tax_rate: 0 }] });
const made = async (name: RouteName, body: object) => (await call(name, { body })).body as Record<string, string>;
const found = async (name: RouteName, q: string, more = ''): Promise<string[]> => {
  const { status, body } = await call(name, { query: `q=${encodeURIComponent(q)}${more}` });
  expect([q, status]).toEqual([q, 200]);
  return (body['data'] as { id: string }[]).map(({ id }) => id);
};
async function submitted(body: object, code?: string): Promise<Record<string, string>> {
  const { id = '' } = await made('POST /invoices', body);
  await call('POST /invoices/{id}/submit', { id });
  if (code !== undefined) await register(id, code);
  return (await call('GET /invoices/{id}', { id })).body as Record<string, string>;
}
async function register(id: string, code: string): Promise<void> {
  const { account } = identity();
  const event = outcomeEvent({ id: system.ids.next(), account, subject: id }, 'document-registered', { ...registration, code, round: 1 });
  await invoiceProcess.applyOutcome(system.context, event);
}

test('invoices are found by words of the name, number, sequence, tax id, fiscal code and total', async () => {
  const address = { line1: 'x', city: 'y', country: 'ES' };
  const a = await customer({ name: 'Ångström & Söhne Große Gasse', tax_id: 'J 9921 6582', address });
  const b = await customer({ name: 'Bison Works' });
  const draft = await made('POST /invoices', { customer_id: a, series: 'TERM', ...line('12.5') });
  const one = await submitted({ customer_id: a, series: 'TERM', ...line('345.67') }, 'Code-1/x');
  const two = await submitted({ customer_id: b, series: 'TERM', ...line('40.00') });
  const invoices = (q: string, more?: string) => found('GET /invoices', q, more);
  for (const q of ['ÅNGSTRÖM', 'gass', 'große', 'SÖHNE ång', 'J-99.216.582', 'code-1/X', '345.67', '345.670'])
    expect([q, await invoices(q)]).toEqual([q, [one['id']]]);
  expect(await invoices('bison works')).toEqual([two['id']]);
  expect(await invoices('works gasse')).toEqual([]);
  expect(await invoices('ison')).toEqual([]);
  expect(await invoices('12.5')).toEqual([draft['id']]);
  expect(await invoices('40')).toEqual([two['id']]);
  expect(await invoices('term-')).toEqual([two['id'], one['id']]);
  expect(await invoices('TERM-', '&sort=total')).toEqual([two['id'], one['id']]);
  expect(await invoices('TERM-', '&sort=-total')).toEqual([one['id'], two['id']]);
  expect(await invoices('TERM-', '&status=submitted')).toEqual([one['id']]);
  expect(await invoices('TERM-', '&per_page=1&page=2')).toEqual([one['id']]);
  expect(await invoices(one['number'] ?? '')).toEqual([one['id']]);
  expect(await invoices('000001')).toEqual([one['id']]);
  expect(await invoices('2', '&series=TERM')).toEqual([two['id']]);
  expect(await invoices('nothing-of-the-kind')).toEqual([]);
});

test('receipts, customers and products are found; an update is found by its new name at once', async () => {
  const receipt = await made('POST /receipts', { payment_method: 'cash', ...line('17.5') });
  expect(await found('GET /receipts', '17.50')).toEqual([receipt['id']]);
  expect(await found('GET /receipts', String(receipt['number']).slice(-6))).toEqual([receipt['id']]);
  const id = await customer({ name: 'Heron Fields', tax_id: 'X1' });
  expect(await found('GET /customers', 'fie her')).toEqual([id]);
  expect(await found('GET /customers', 'x-1')).toEqual([id]);
  await call('PATCH /customers/{id}', { id, body: { name: 'Egret' } });
  expect([await found('GET /customers', 'heron'), await found('GET /customers', 'EG')]).toEqual([[], [id]]);
  await call('DELETE /customers/{id}', { id });
  expect([await found('GET /customers', 'egret'), await found('GET /customers', 'egret', '&deleted=all')]).toEqual([[], [id]]);
  const product = await made('POST /products', { name: 'Long Blue Chair', unit_price: 1, currency: 'EUR' });
  for (const q of ['blue', 'CHAIR', 'Long', 'cha', 'chair long']) expect(await found('GET /products', q)).toEqual([product['id']]);
});

describe('erasure', () => {
  const words = async (): Promise<string> => {
    const rows = await Promise.all(
      ['invoice', 'receipt', 'customer'].map((kind) => Array.fromAsync(system.documents.collection(`${kind}_terms_v2`).find({}))),
    );
    return JSON.stringify(rows);
  };

  test('removes the name and tax id from the terms of the customer and of its documents, for later changes of these too', async () => {
    const customer_id = await customer({ name: 'Ophelia Kestrel', tax_id: 'K 4711', address: { country: 'GB' } });
    const paid = await submitted({ customer_id, ...line(3) }, 'ophelia-code');
    const late = await submitted({ customer_id, ...line(4) });
    const receipt = await made('POST /receipts', { customer_id, payment_method: 'cash', ...line(5) });
    expect(await found('GET /invoices', 'kestrel')).toEqual([late['id'], paid['id']]);
    expect(await found('GET /receipts', 'k4711')).toEqual([receipt['id']]);
    await erase(customer_id);
    expect(await found('GET /invoices', 'kestrel')).toEqual([]);
    await call('POST /invoices/{id}/payments', { id: paid['id'] ?? '', body: { amount: 1, paid_at: '2026-01-16' } });
    await register(late['id'] ?? '', 'late-code');
    for (const q of ['ophelia', 'kestrel', 'k4711'])
      for (const name of ['GET /invoices', 'GET /receipts', 'GET /customers'] as const) expect(await found(name, q)).toEqual([]);
    expect(await found('GET /invoices', 'late-code')).toEqual([late['id']]);
    expect(await words()).not.toMatch(/kestrel|K4711/i);
  });
});

test('the terms are the same when they are built anew, in other batches, twice', async () => {
  const events: Recorded[] = [];
  const stop = system.store.subscribe('start', async ({ events: batch }) => void events.push(...batch));
  const head = await system.store.head();
  await until(() => (events.at(-1)?.position ?? 0n) >= head);
  await stop();
  const again = Object.fromEntries(
    termsKinds.map((kind) => [kind, system.documents.collection<TermsRow>(`again_${kind}`, { indexes: termsIndexes(kind) })]),
  ) as Record<TermsKind, Collection<TermsRow>>;
  const fold = foldTerms(again, termsSources, system.store);
  for (let at = 0; at < events.length; at += 7) for (const _ of [1, 2]) await fold(events.slice(at, at + 7));
  for (let at = 0; at < events.length; at += 50) await fold(events.slice(at, at + 50));
  const shown = async (rows: Collection<TermsRow>) =>
    (await Array.fromAsync(rows.find({}, { sort: { _id: 1 } }))).map(({ version: _, ...row }) => row);
  for (const kind of termsKinds) {
    const built = await shown(again[kind]);
    expect(built).toEqual(await shown(system.documents.collection<TermsRow>(termsName(kind))));
    expect(built.length).toBeGreaterThan(0);
    for (const row of built) expect(Object.keys(row).filter((field) => fieldsOf(kind).includes(field)).length).toBeLessThanOrEqual(10);
  }
});

test('where no process keeps the terms up to date, a list with q is 503', async () => {
  const terms = createTerms(system.documents, system.subscribing, termsSources);
  await expect(terms.filter('invoice', { ...identity(), q: 'x' })).rejects.toMatchObject({ code: 'service_unavailable', retryAfter: 1 });
});
