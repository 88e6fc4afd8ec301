import { verifyWebhook } from '@svc/client';
import { client, eventually, type Delivery } from '@svc/testkit';
import { checkedClient } from '../checked-client.ts';
import type { Shared } from './shared-system.ts';

interface Amounts {
  id: string;
  total: number | string;
  items: object[];
}
interface Invoice {
  id: string;
  status: string;
  number: string;
  fiscal_code: string;
  total: number;
  customer_id: string;
}

const item = { description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20 };

/** Verifies both signatures over the raw bytes, as a subscriber does. */
function verify({ raw: body, headers }: Delivery, secret: string): void {
  for (const signature of ['webhook-signature', 'x-service-signature'] as const)
    expect(verifyWebhook({ headers, body }, secret, { signature, toleranceSeconds: 120 }).id).toBe(headers['webhook-id']);
}

/** From nothing to a fiscal code, on the demo account. Restarts the system at its end. */
export function testJourney(shared: () => Shared): void {
  const call: ReturnType<typeof checkedClient> = (...request) =>
    checkedClient(shared().system.url, shared().system.setup.test_key)(...request);
  const list = async (query: Record<string, string>): Promise<Invoice[]> =>
    (await call<{ data: Invoice[] }>('GET', '/invoices', { query })).body.data;

  const deliveryOf = (id: string): Delivery | undefined => shared().receiver.deliveries.find(({ body: { data } }) => data.id === id);

  let invoice: Invoice;
  let secret: string;
  let customer: { id: string };

  test('shows the secret of a webhook endpoint once', async () => {
    const body = { url: `${shared().receiver.origin}/hook`, events: ['invoice.submitted'], description: 'Shop' };
    const made = await call<{ id: string; secret: string }>('POST', '/webhooks', { body });
    expect(made.status).toBe(201);
    secret = made.body.secret;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await call('GET', `/webhooks/${made.body.id}`)).text).not.toContain(secret);
  });

  test('validates a tax id by the rules of its country', async () => {
    const body = { name: 'Blue Door Books', address: { country: 'AL' } };
    const wrong = await call('POST', '/customers', { body: { ...body, tax_id: 'J91402501' } });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('tax_id')]);
    expect((await call('POST', '/customers', { body: { ...body, tax_id: 'J91402501L' } })).status).toBe(201);
  });

  test('creates an invoice as a draft', async () => {
    const made = await call<{ id: string }>('POST', '/customers', { body: { name: 'Blue Door Books' } });
    expect(made.status).toBe(201);
    customer = made.body;
    const draft = await call<Invoice>('POST', '/invoices', { body: { customer_id: customer.id, currency: 'EUR', items: [item] } });
    expect(draft.status).toBe(201);
    expect(draft.body).toMatchObject({ object: 'invoice', status: 'draft', total: 120.6, number: null, fiscal_code: null });
    invoice = draft.body;
  });

  test('gives a submitted invoice a number and a fiscal code', async () => {
    const { status, headers, body } = await call<Invoice>('POST', `/invoices/${invoice.id}/submit`, { headers: { prefer: 'wait=25' } });
    expect(status).toBe(200);
    expect(headers.get('preference-applied')).toBe('wait=25');
    expect(body).toMatchObject({
      status: 'submitted',
      number: expect.stringMatching(/^INV-\d{4}-000001$/),
      fiscal_code: expect.any(String),
    });
    invoice = body;
  });

  test('sends the event to the subscriber with two signatures', async () => {
    const delivery = await eventually(() => deliveryOf(invoice.id), 'the webhook');
    verify(delivery, secret);
    const { id, number, status, fiscal_code, total, customer_id } = invoice;
    expect(delivery.body).toMatchObject({
      type: 'invoice.submitted',
      object: 'event',
      livemode: false,
      data: { id, number, status, fiscal_code, total, customer_id },
    });
  });

  test('counts it in lists and the sales report', async () => {
    expect(await list({ status: 'submitted' })).toEqual([(await call('GET', `/invoices/${invoice.id}`)).body]);
    const report = async () => {
      await new Promise((resolve) => setTimeout(resolve, 700)); // The limit is five reports a minute.
      return (await call<{ totals: { documents: number; total: number; tax_total: number; currency: string }[] }>('GET', '/reports/sales'))
        .body.totals[0];
    };
    const sum = await eventually(report, 'the report', 150_000);
    expect(sum).toMatchObject({ currency: 'EUR', documents: 1, total: 120.6, tax_total: 20.1 });
  });

  test('ends within 30 s after SIGTERM, and has everything on the same folder', async () => {
    const before = [await list({}), (await call('GET', `/customers/${customer.id}`)).body, (await call('GET', '/webhooks')).body];
    const asked = Date.now();
    expect(await shared().system.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(Date.now() - asked).toBeLessThan(30_000);
    shared().system = await shared().system.restart();
    expect([await list({}), (await call('GET', `/customers/${customer.id}`)).body, (await call('GET', '/webhooks')).body]).toEqual(before);
    const { body: next } = await call<Invoice>('POST', '/invoices', { body: { customer_id: customer.id, items: [item] } });
    const { body } = await call<Invoice>('POST', `/invoices/${next.id}/submit`, { headers: { prefer: 'wait=25' } });
    expect(body.number).toMatch(/-000002$/);
    await eventually(() => deliveryOf(next.id), 'its webhook');
  });

  test('answers amounts as text where that is preferred, with all their digits; a repeat has the form of the first', async () => {
    const { url, setup } = shared().system;
    const call = client(`${url}/v1`, setup.test_key); // not the checked one: the published type is that of numbers
    const prefer = { prefer: 'amounts=string' };
    const lines = [{ ...item, unit_price: '123456789012.12345678' }, ...Array<typeof item>(250).fill(item)];
    const body = { customer_id: customer.id, currency: 'EUR', items: lines };
    const key = { 'idempotency-key': crypto.randomUUID() };
    const made = await call<Amounts>('POST', '/invoices', { body, headers: { ...prefer, ...key } });
    expect([made.status, made.headers.get('preference-applied')]).toEqual([201, 'amounts=string']);
    expect(made.body).toMatchObject({ total: expect.stringMatching(/^\d+\.\d+$/), version: 1 });
    expect(made.body.items[0]).toMatchObject({ unit_price: '123456789012.12345678', quantity: expect.any(String) });
    const path = `/invoices/${made.body.id}`;
    const numbers = await call<Amounts>('GET', path);
    expect(numbers.headers.get('preference-applied')).toBeNull();
    expect((await call('GET', path, { headers: prefer })).text.replaceAll('"', '')).toBe(numbers.text.replaceAll('"', ''));
    expect(typeof numbers.body.total).toBe('number');
    const repeated = await call('POST', '/invoices', { body, headers: key });
    expect([repeated.text, repeated.headers.get('preference-applied')]).toEqual([made.text, 'amounts=string']);

    const list = await call<{ data: Amounts[]; meta: { total: number } }>('GET', '/invoices', { headers: prefer });
    expect(list.text.length).toBeGreaterThan(64 * 1024);
    expect(list.body.data.map(({ total }) => typeof total)).toEqual(list.body.data.map(() => 'string'));
    expect(typeof list.body.meta.total).toBe('number');
    const submitted = await call<Amounts>('POST', `${path}/submit`, { headers: { prefer: 'wait=25, amounts=string' } });
    expect([submitted.headers.get('preference-applied'), submitted.body.total]).toEqual(['wait=25, amounts=string', made.body.total]);
    const missing = await call('GET', '/invoices/inv_none', { headers: prefer });
    expect([missing.status, missing.headers.get('preference-applied')]).toEqual([404, null]);
    const events = await call('GET', '/events', { headers: prefer });
    expect([events.status, events.headers.get('preference-applied')]).toEqual([200, null]);
  });

  test('accepts amounts as it answers them as text, the smallest too, and shows their changes as text', async () => {
    const { url, setup } = shared().system;
    const plain = client(`${url}/v1`, setup.test_key);
    const headers = { prefer: 'amounts=string' };
    const small = { description: 'Grain', quantity: '0.00000001', unit_price: '0.0000005', taxes: [] };
    const body = { customer_id: customer.id, currency: 'EUR', items: [small, item] };
    const preview = await plain<Amounts>('POST', '/invoices/preview', { body, headers });
    expect([preview.body.total, preview.body.items[0]]).toEqual([
      '120.6',
      expect.objectContaining({ quantity: '0.00000001', unit_price: '0.0000005' }),
    ]);
    const batch = await plain<{ data: { resource: Amounts }[] }>('POST', '/invoices/batch', { body: { requests: [body] }, headers });
    const draft = batch.body.data[0]?.resource as Amounts;
    expect([batch.body, draft.total]).toEqual([expect.objectContaining({ succeeded: 1 }), '120.6']);
    const same = await plain<Amounts>('PATCH', `/invoices/${draft.id}`, { body: draft, headers });
    expect([same.status, same.headers.get('etag'), same.body.total]).toEqual([200, '"1"', '120.6']);
    const changed = { items: [{ ...item, unit_price: '0.00000025' }] };
    expect((await plain('PATCH', `/invoices/${draft.id}`, { body: changed, headers: { ...headers, 'if-match': '"1"' } })).status).toBe(200);
    const history = await plain<{ data: { version: number; changes: Amounts }[] }>('GET', `/invoices/${draft.id}/events`, { headers });
    expect(history.body.data[1]).toMatchObject({
      version: 2,
      changes: { total: '0', items: [{ unit_price: '0.00000025', quantity: '2' }] },
    });
  });

  test('every route that takes Prefer: wait answers with the outcome', async () => {
    const wait = { headers: { prefer: 'wait=25' } };
    const { body: draft } = await call<Invoice>('POST', '/invoices', { body: { customer_id: customer.id, items: [item] } });
    await call('POST', `/invoices/${draft.id}/submit`, wait);
    const sale = { items: [{ description: 'Tea', unit_price: 2 }], payment_method: 'cash' };
    const { body: receipt } = await call<{ id: string; fiscal: object }>('POST', '/receipts', { ...wait, body: sale });
    expect(receipt.fiscal).toMatchObject({ status: 'registered' });
    for (const path of [`/invoices/${draft.id}/void`, `/receipts/${receipt.id}/void`]) {
      const { status, headers, body } = await call<{ status: string }>('POST', path, { ...wait, body: { reason: 'By mistake' } });
      expect([path, status, headers.get('preference-applied'), body.status]).toEqual([path, 200, 'wait=25', 'voided']);
    }
  });
}
