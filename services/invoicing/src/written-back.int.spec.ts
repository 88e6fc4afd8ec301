import { invoiceProcess } from './invoice/process.ts';
import { outcomeEvent, registration, rejection } from './document/testing/outcomes.ts';
import { callerOf } from './testing/open-system.ts';
import { serve } from './testing/serve.ts';

const served = serve();
const { call, system } = served;
beforeAll(() => served.start());
afterAll(() => served.stop());

type Resource = Record<string, unknown> & { id: string; version: number; items: Record<string, unknown>[] };
const detailsOf = ({ status, body }: { status: number; body: object }): string[] => {
  const { error } = body as { error?: { details?: object } };
  return [String(status), ...Object.keys(error?.details ?? {}).sort()];
};
const product = async () =>
  String(
    (
      await call('POST /products', {
        body: { name: 'Feed', description: 'two\nlines', unit_price: 3, tax_rate: 10, sku: 'S' + system.ids.next() },
      })
    ).body['id'],
  );

const outcome = (id: string, name: string, data: object): Promise<unknown> =>
  invoiceProcess.applyOutcome(
    system.context,
    outcomeEvent({ id: system.ids.next(), account: callerOf(system).account, subject: id }, name, data),
  );

/** A draft with all that lines and documents can have. */
async function drafted(over: object = {}): Promise<string> {
  const items = [
    { description: 'Chair\nblue', unit_price: 10, discounts: [{ percent: 10, reason: 'kind' }], charges: [{ amount: 1.5 }], tax_rate: 20 },
    { product_id: await product(), quantity: '3.5' },
    {
      description: 'x',
      unit_price: '12.12345678',
      taxes: [
        { rate: 21, surcharge: 5.2 },
        { category: 'IRPF', rate: 15, retained: true },
      ],
    },
    { description: 'y', unit_price: 7, taxes: [{ rate: 0, code: 'E', exemption_reason: 'training' }] },
  ];
  const document = {
    // Of the last line, which the tests keep.
    discounts: [{ amount: 1, taxes: [{ rate: 0, code: 'E', exemption_reason: 'training' }] }],
    charges: [{ percent: 2 }],
    notes: 'one\n\ntwo',
    metadata: { a: 'b' },
  };
  const body = { customer_id: await served.customer(), items, ...document, due_date: '2030-01-01', exchange_rate: 1.5, ...over };
  return String((await call('POST /invoices', { body })).body['id']);
}

const read = async (id: string): Promise<Resource> => (await call('GET /invoices/{id}', { id })).body as never;
const patch = (id: string, body: object) => call('PATCH /invoices/{id}', { id, body });

const submitted = async (): Promise<string> => {
  const id = await drafted();
  await call('POST /invoices/{id}/submit', { id });
  return id;
};
const registered = async (): Promise<string> => {
  const id = await submitted();
  await outcome(id, 'document-registered', registration);
  return id;
};
const states: Record<string, () => Promise<string>> = {
  draft: () => drafted(),
  submitting: submitted,
  submitted: registered,
  failed: async () => {
    const id = await submitted();
    await outcome(id, 'document-rejected', rejection('data'));
    return id;
  },
  voiding: async () => {
    const id = await registered();
    await call('POST /invoices/{id}/void', { id, body: { reason: 'entered twice:\r\nsee 17' } });
    return id;
  },
  voided: async () => {
    const id = await drafted();
    await call('POST /invoices/{id}/void', { id, body: {} });
    return id;
  },
};

test('metadata is stored and read back under any name that JSON allows', async () => {
  const names = ['constructor', 'prototype', 'toString', 'toJSON', 'hasOwnProperty', 'valueOf', 'then', 'length'];
  const metadata = Object.fromEntries(names.map((name) => [name, name]));
  const { body: made } = await call('POST /customers', { body: { name: 'Ann', metadata } });
  const id = String(made['id']);
  expect(made['metadata']).toEqual(metadata);
  expect((await call('PATCH /customers/{id}', { id, body: { metadata: { constructor: null, valueOf: 'other' } } })).status).toBe(200);
  const { constructor: _, ...left } = { ...metadata, valueOf: 'other' };
  expect((await call('GET /customers/{id}', { id })).body['metadata']).toEqual(left);
});

describe('an invoice as it was read', () => {
  test.each(Object.entries(states))('is written back where it is %s: nothing changes', async (status, make) => {
    const id = await make();
    const resource = await read(id);
    expect(resource['status']).toBe(status);
    expect(await patch(id, resource)).toMatchObject({ status: 200, body: resource });
    const tried = { attempts: 9, last_attempt_at: '2026-01-16T12:00:09.000Z', next_attempt_at: '2026-01-16T12:00:19.000Z' };
    const fiscal = resource['fiscal'] && { ...(resource['fiscal'] as object), ...tried };
    expect(await patch(id, { ...resource, fiscal })).toMatchObject({ status: 200, body: resource });
    expect(await patch(id, { ...resource, metadata: { a: 'c' } })).toMatchObject({
      status: 200,
      body: { version: resource.version + 1, metadata: { a: 'c' } },
    });
  });

  test.each(['submitting', 'submitted', 'voiding', 'voided'])(
    'is refused with another field than metadata changed where it is %s',
    async (status) => {
      const id = await (states[status] as () => Promise<string>)();
      const resource = await read(id);
      expect(await patch(id, { ...resource, notes: 'other' })).toMatchObject({ status: 422, body: { error: { code: 'invalid_state' } } });
      expect(await patch(id, { ...resource, items: resource.items.slice(1) })).toMatchObject({
        status: 422,
        body: { error: { code: 'invalid_state' } },
      });
    },
  );

  test('may have a line changed, added, moved and taken out, with the amounts of before', async () => {
    const id = await drafted();
    const { items, version, ...resource } = await read(id);
    const changed = await patch(id, { ...resource, version, items: items.map((item, n) => (n === 0 ? { ...item, quantity: 7 } : item)) });
    expect(changed).toMatchObject({ status: 200, body: { version: version + 1 } });
    expect(changed.body['total']).not.toEqual(resource['total']);
    const now = await read(id);
    const fewer = await patch(id, { ...now, items: now.items.slice(1) });
    expect(fewer).toMatchObject({ status: 200, body: { version: now.version + 1, items: [{ amount: now.items[1]?.['amount'] }, {}, {}] } });
    const left = await read(id);
    expect((await patch(id, { ...left, items: [...left.items.toReversed(), { description: 'new', unit_price: 1 }] })).status).toBe(200);
  });

  test('may have the amounts that the change leads to', async () => {
    const id = await drafted({ discounts: [], charges: [], items: [{ description: 'x', unit_price: 10, tax_rate: 20 }] });
    const { items } = await read(id);
    const sent = { items: [{ ...items[0], quantity: 2, amount: '20.00' }], total: 24, subtotal: '20' };
    expect(await patch(id, sent)).toMatchObject({ status: 200, body: { total: 24, version: 2 } });
  });

  test('is refused with other calculated values, and nothing changes', async () => {
    const id = await drafted();
    const resource = await read(id);
    const [first, ...rest] = resource.items;
    const wrong = {
      total: 99.99,
      amount_due: '1',
      status: 'submitted',
      number: 'INV-1',
      version: 7,
      fiscal: {},
      customer: { id: 'x' },
      type: 'credit_note',
    };
    const answer = await patch(id, {
      ...resource,
      ...wrong,
      items: [{ ...first, amount: 99.99, discount_amount: 0.5, charge_amount: -1 }, ...rest],
    });
    expect(detailsOf(answer).sort()).toEqual(
      ['422', ...Object.keys(wrong), 'items.0.amount', 'items.0.discount_amount', 'items.0.charge_amount'].sort(),
    );
    expect(JSON.stringify(answer.body)).toContain('is calculated: leave it out');
    expect(await read(id)).toEqual(resource);
  });

  test('keeps a line of a product, and a customer, that were deleted since', async () => {
    const id = await drafted();
    const resource = await read(id);
    await call('DELETE /products/{id}', { id: String(resource.items[1]?.['product_id']) });
    await call('DELETE /customers/{id}', { id: String(resource['customer_id']) });
    expect(await patch(id, resource)).toMatchObject({ status: 200, body: { version: resource.version } });
    expect((await patch(id, { ...resource, items: resource.items.slice(1) })).status).toBe(200);
    expect(detailsOf(await patch(id, { items: [{ product_id: resource.items[1]?.['product_id'] }] }))).toEqual([
      '422',
      'items.0.product_id',
    ]);
  });

  test('is 404 and 412 before its calculated fields are compared', async () => {
    const id = await drafted();
    expect((await patch(`inv_${system.ids.next()}`, { total: 99 })).status).toBe(404);
    expect((await call('PATCH /invoices/{id}', { id, body: { total: 99 }, headers: { 'if-match': '"7"' } })).status).toBe(412);
  });
});

describe('what is created from what was read', () => {
  test('may have the amounts of its lines, in an invoice, a preview, a batch and a receipt', async () => {
    const { items, customer_id } = await read(await drafted({ discounts: [], charges: [] }));
    const body = { customer_id, items };
    expect((await call('POST /invoices', { body })).status).toBe(201);
    expect((await call('POST /invoices/preview', { body })).status).toBe(200);
    expect((await call('POST /invoices/batch', { body: { requests: [body, body] } })).body).toMatchObject({ succeeded: 2 });
    const made = await call('POST /receipts', {
      body: { items: [{ description: 'x', unit_price: 12, quantity: 3 }], payment_method: 'cash' },
    });
    expect((await call('POST /receipts', { body: { items: made.body['items'], payment_method: 'cash' } })).status).toBe(201);
  });

  test('is refused with other amounts, and nothing is made', async () => {
    const { items, customer_id } = await read(await drafted({ discounts: [], charges: [] }));
    const wrong = items.map((item, n) => (n === 1 ? { ...item, amount: 1 } : item));
    for (const name of ['POST /invoices', 'POST /invoices/preview'] as const)
      expect(detailsOf(await call(name, { body: { customer_id, items: wrong } }))).toEqual(['422', 'items.1.amount']);
    const receipt = { items: wrong.slice(0, 2), prices_include_tax: false, payment_method: 'cash', number: 'RCP-1' };
    expect(detailsOf(await call('POST /receipts', { body: receipt }))).toEqual(['422', 'items.1.amount', 'number']);
    const { body } = await call('POST /invoices/batch', {
      body: {
        requests: [
          { customer_id, items: wrong },
          { customer_id, items },
        ],
      },
    });
    expect(body).toMatchObject({
      succeeded: 1,
      failed: 1,
      data: [{ status: 422, error: { details: { 'items.1.amount': [expect.any(String)] } } }, { status: 201 }],
    });
  });

  test('may not be another resource', async () => {
    const resource = await read(await drafted());
    expect(detailsOf(await call('POST /invoices', { body: resource }))).toEqual(['422', 'created_at', 'id', 'updated_at']);
  });

  test('a payment has the currency of its invoice, and no id of the caller', async () => {
    const id = await registered();
    const { body: payment } = await call('POST /invoices/{id}/payments', {
      id,
      body: { amount: 1, paid_at: '2026-01-10', currency: 'EUR', invoice_id: id, deleted_at: null },
    });
    expect(payment).toMatchObject({ object: 'payment', amount: 1 });
    expect(detailsOf(await call('POST /invoices/{id}/payments', { id, body: { ...payment } }))).toEqual([
      '422',
      'created_at',
      'id',
      'updated_at',
    ]);
  });
});

describe('other resources as they were read', () => {
  const made = {
    customers: { name: 'Jo', phone: '+355 69 1', tax_id: 'J99216582', address: { line1: 'Calle 1', country: 'ES' }, metadata: { a: 'b' } },
    products: { name: 'Feed', description: 'two\nlines', unit_price: '12.12345678', tax_rate: 10, metadata: { a: 'b' } },
  };
  test.each(['customers', 'products'] as const)('%s are written back: nothing changes', async (kind) => {
    const { body: resource } = await call(`POST /${kind}`, { body: made[kind] });
    const id = String(resource['id']);
    const same = await call(`PATCH /${kind}/{id}`, { id, body: resource });
    expect(same).toMatchObject({ status: 200, body: resource });
    expect(await call(`PATCH /${kind}/{id}`, { id, body: { ...resource, name: 'Other' } })).toMatchObject({
      status: 200,
      body: { name: 'Other', version: 2 },
    });
    expect(detailsOf(await call(`PATCH /${kind}/{id}`, { id, body: { id: 'x', version: 7, deleted_at: 'now' } }))).toEqual([
      '422',
      'deleted_at',
      'id',
      'version',
    ]);
    expect(detailsOf(await call(`POST /${kind}`, { body: { ...made[kind], livemode: false, deleted_at: null, version: 2 } }))).toEqual([
      '422',
      'version',
    ]);
    const { body: batch } = await call(`POST /${kind}/batch`, { body: { requests: [{ ...made[kind], object: 'invoice' }] } });
    expect(batch).toMatchObject({ failed: 1, data: [{ error: { details: { object: [expect.stringContaining('is calculated')] } } }] });
  });

  test('the issuer is written back, before and after its first change', async () => {
    for (const change of [{}, { trade_name: 'Other', units: [{ code: 'A', devices: ['T1'] }], operators: [{ code: 'O', name: 'Ann' }] }]) {
      await call('PATCH /issuer', { body: change });
      const { body: resource } = await call('GET /issuer');
      expect(await call('PATCH /issuer', { body: resource })).toMatchObject({ status: 200, body: resource });
      expect(detailsOf(await call('PATCH /issuer', { body: { ...resource, version: 99, id: 'x' } }))).toEqual(['422', 'id', 'version']);
    }
  });
});
