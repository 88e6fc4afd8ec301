import { simulations } from '@svc/contracts/document/simulation';
import { createCustomer } from '../customer/write.ts';
import { createInvoice } from '../invoice/invoices.ts';
import { reviseInvoice } from '../invoice/write.ts';
import { callerOf } from '../testing/open-system.ts';
import { serve } from '../testing/serve.ts';

const served = serve();
const { call, system } = served;
beforeAll(() => served.start());
afterAll(() => served.stop());

const items = [{ description: 'x', unit_price: 10, tax_rate: 0 }];
const invoice = async (simulate: string) => ({ customer_id: await served.customer(), items, metadata: { simulate } });
const receipt = (simulate: string) => ({ items, payment_method: 'cash', metadata: { simulate } });
const refused = {
  status: 422,
  body: {
    error: {
      code: 'validation_error',
      details: { 'metadata.simulate': [expect.stringContaining('is none of the simulations')] },
      issues: [{ field: 'metadata.simulate', rule: 'enum', params: { nearest: 'accept' } }],
    },
  },
};

test('an unknown simulation is refused wherever one can be sent', async () => {
  const body = await invoice('acept');
  expect(await call('POST /invoices', { body })).toMatchObject(refused);
  expect(await call('POST /invoices/preview', { body })).toMatchObject(refused);
  expect(await call('POST /invoices/preview', { body, query: 'explain=true' })).toMatchObject(refused);
  expect(await call('POST /receipts', { body: receipt('acept') })).toMatchObject(refused);
  const { body: batch } = await call('POST /invoices/batch', { body: { requests: [body, await invoice('accept')] } });
  expect(batch).toMatchObject({ succeeded: 1, failed: 1, data: [{ status: 422, error: refused.body.error }, { status: 201 }] });
  const { id } = (batch['data'] as { resource: { id: string } }[])[1]!.resource;
  expect(await call('PATCH /invoices/{id}', { id, body: { metadata: { simulate: 'acept' } } })).toMatchObject(refused);
  expect(await call('PATCH /invoices/{id}', { id, body: { metadata: { simulate: null } } })).toMatchObject({ status: 200 });
});

test('every simulation is taken', async () => {
  for (const simulate of [...simulations, 'reject:E1', 'unavailable:1', 'slow:10'])
    expect((await call('POST /invoices/preview', { body: await invoice(simulate) })).status).toBe(200);
});

test('in customers and products, and in live documents, it is plain metadata', async () => {
  const metadata = { simulate: 'anything at all' };
  expect((await call('POST /customers', { body: { name: 'x', metadata } })).status).toBe(201);
  expect((await call('POST /products', { body: { name: 'x', metadata } })).status).toBe(201);
  const live = () => ({ context: system.context, identity: callerOf(system, undefined, 'live') });
  const { id } = await createCustomer({ ...live(), customers: system.customers }, { name: 'Live' });
  const made = await createInvoice(live(), { customer_id: id, items, metadata });
  expect(made.metadata).toEqual(metadata);
  expect((await reviseInvoice(live(), { id: made.id, ifMatch: undefined, body: { metadata: { simulate: 'else' } } })).metadata).toEqual({
    simulate: 'else',
  });
});
