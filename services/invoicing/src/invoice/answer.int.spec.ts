import { dayIn, plusDays } from '@svc/kernel';
import { readOnce } from '../customer/customers.ts';
import { serve } from '../testing/serve.ts';
import { callerOf } from '../testing/open-system.ts';
import { answered, answeredText } from './answer.ts';
import { createInvoice, invoices } from './invoices.ts';

const served = serve();
const { call, system } = served;
beforeAll(() => served.start());
afterAll(() => served.stop());

const item = (over: object = {}) => ({ description: 'x', unit_price: 10, tax_rate: 0, ...over });
const customer = async (body: object): Promise<string> => String((await call('POST /customers', { body })).body['id']);
const draft = async (customer_id: string, over: object = {}) =>
  (await call('POST /invoices', { body: { customer_id, items: [item()], ...over } })).body;
const codes = (body: Record<string, unknown>): string[] => (body['warnings'] as { code: string }[]).map(({ code }) => code);
const read = async (id: unknown) => call('GET /invoices/{id}', { id: String(id) });

test('a draft is answered with the name of its customer as it is now, at the same version', async () => {
  const customer_id = await customer({ name: 'Before' });
  const made = await draft(customer_id);
  expect(made).toMatchObject({ customer_name: 'Before', warnings: [{ field: 'customer.address.country' }], customer: null });
  await call('PATCH /customers/{id}', { id: customer_id, body: { name: 'After "\\ both', address: { country: 'FR' } } });
  const now = await read(made['id']);
  expect([now.body['customer_name'], now.body['warnings'], now.headers.etag]).toEqual(['After "\\ both', [], '"1"']);
  const patched = await call('PATCH /invoices/{id}', {
    id: String(made['id']),
    body: { notes: 'n', warnings: [], customer_name: 'Before' },
  });
  expect(patched).toMatchObject({ status: 200, body: { version: 2, customer_name: 'After "\\ both' } });
});

// On EventStoreDB each look is a read of a stream, and a third of what a GET costs.
test('a request looks for the customer once, and for the issuer where it creates or a day may have passed', async () => {
  const { context } = system;
  const asked: string[] = [];
  const issuers = {
    ...context.issuers,
    of: (...of: Parameters<typeof context.issuers.of>) => (asked.push('issuer'), context.issuers.of(...of)),
  };
  const customers = {
    ...context.customers,
    look: (...of: Parameters<typeof context.customers.look>) => (asked.push('customer'), context.customers.look(...of)),
  };
  const request = () => ({ context: { ...context, issuers, customers }, identity: callerOf(system), customers: readOnce(customers) });
  const customer_id = await customer({ name: 'Once' });
  const looks = async (due: object): Promise<string[][]> => {
    const creating = request();
    const made = await createInvoice(creating, { customer_id, items: [item()], ...due });
    await answered(creating, made);
    const created = asked.splice(0).sort();
    const reading = request();
    await answeredText(reading, await invoices.written(reading, made.id));
    return [created, asked.splice(0).sort()];
  };
  expect(await looks({})).toEqual([['customer', 'issuer'], ['customer']]);
  expect(await looks({ due_date: '2999-01-01' })).toEqual([
    ['customer', 'issuer', 'issuer'],
    ['customer', 'issuer'],
  ]);
});

test('a list has drafts as they are read: with the names of their customers, and warnings', async () => {
  const [first, second] = [await customer({ name: 'First' }), await customer({ name: 'Second', address: { country: 'FR' } })];
  const tax = { rate: '0.000001' };
  const odd = { items: [item({ tax_rate: undefined, taxes: [tax], unit_price: '0.00000001' })], charges: [{ amount: 1, taxes: [tax] }] };
  const ids = [];
  for (const one of [first, second, first]) ids.push((await draft(one, odd))['id']);
  await call('PATCH /customers/{id}', { id: first, body: { name: 'Renamed' } });
  await call('DELETE /customers/{id}', { id: second });
  const { body } = await call('GET /invoices', { query: 'per_page=3' });
  const rows = body['data'] as Record<string, unknown>[];
  expect(rows.map(({ customer_name }) => customer_name)).toEqual(['Renamed', 'Second', 'Renamed']);
  expect(codes(rows[1] as Record<string, unknown>)).toEqual(['customer_deleted', 'rate_below_one', 'rate_below_one']);
  for (const [n, id] of ids.reverse().entries()) expect(rows[n]).toEqual((await read(id)).body);
});

test('an erased customer has no name', async () => {
  const customer_id = await customer({ name: 'Gone' });
  const { id } = await draft(customer_id);
  await call('POST /customers/{id}/erase', { id: customer_id });
  const { body } = await read(id);
  expect(body['customer_name']).toBeNull();
  expect(codes(body)).toContain('customer_deleted');
  const { body: list } = await call('GET /invoices', { query: 'per_page=1' });
  expect(list['data']).toMatchObject([{ id, customer_name: null }]);
});

test('what is odd is warned of in what is made, changed, read and previewed; what is issued is not', async () => {
  const customer_id = await customer({ name: 'Jo', address: { country: 'FR' } });
  const due_date = plusDays(dayIn('Europe/Paris', system.clock.now()), -1);
  const odd = { items: [item({ tax_rate: 0.2 }), item({ unit_price: 0 })], due_date };
  const expected = ['due_date_passed', 'price_is_zero', 'rate_below_one'];
  const made = await draft(customer_id, odd);
  const id = String(made['id']);
  const batch = await call('POST /invoices/batch', { body: { requests: [{ customer_id, ...odd }] } });
  const [{ resource }] = batch.body['data'] as [{ resource: Record<string, unknown> }];
  const preview = await call('POST /invoices/preview', { body: { customer_id, ...odd } });
  for (const body of [made, resource, preview.body, (await read(id)).body]) expect(codes(body)).toEqual(expected);
  const patched = await call('PATCH /invoices/{id}', { id, body: { items: [item()], due_date: null } });
  expect(codes(patched.body)).toEqual([]);
  const { body: submitted } = await call('POST /invoices/{id}/submit', { id });
  for (const body of [submitted, (await read(id)).body])
    expect(Object.keys(body).filter((name) => name === 'warnings' || name === 'customer_name')).toEqual([]);
});

test('what a draft is answered with beside it is not stored', async () => {
  await draft(await customer({ name: 'Nobody stores me twice', address: { country: 'FR' } }), { items: [item({ unit_price: 0 })] });
  expect(system.engine.sql(`SELECT count(*) AS count FROM events WHERE data LIKE '%price_is_zero%'`).get()).toEqual({ count: 0 });
});

test('a preview needs no customer, and a credit note takes that of its invoice', async () => {
  const { body } = await call('POST /invoices/preview', { body: { items: [item({ quantity: 2 })] } });
  expect(body).toMatchObject({ total: 20, amount_due: 20, warnings: [] });
  for (const [wrong, field] of [
    [{ items: [] }, 'items'],
    [{ items: [item()], customer_id: `cust_${'0'.repeat(26)}` }, 'customer_id'],
  ] as const)
    expect(await call('POST /invoices/preview', { body: wrong })).toMatchObject({
      status: 422,
      body: { error: { details: { [field]: [expect.any(String)] } } },
    });
  expect((await call('POST /invoices', { body: { items: [item()] } })).body).toMatchObject({
    error: { details: { customer_id: [expect.any(String)] } },
  });
});

test('status, number, fiscal_code and total stand first', async () => {
  const made = await draft(await customer({ name: 'Jo' }));
  const submitted = (await call('POST /invoices/{id}/submit', { id: String(made['id']) })).body;
  for (const body of [made, submitted])
    expect(Object.keys(body).slice(0, 7)).toEqual(['id', 'object', 'type', 'status', 'number', 'fiscal_code', 'total']);
  const { body: receipt } = await call('POST /receipts', { body: { items: [item()], payment_method: 'cash' } });
  expect(Object.keys(receipt).slice(0, 7)).toEqual(['id', 'object', 'type', 'status', 'number', 'fiscal_code', 'total']);
});
