import { XMLParser } from 'fast-xml-parser';
import { cancellation, outcomeEvent, registration } from '../document/testing/outcomes.ts';
import { invoiceProcess } from '../invoice/process.ts';
import { callerOf } from '../testing/open-system.ts';
import { serve } from '../testing/serve.ts';
import { pagesOf } from '@svc/document-files/pdf/testing/text';

const served = serve();
const { call, open, system } = served;
beforeAll(() => served.start());
afterAll(() => served.stop());

const vat = { rate: 20 };
const draft = async (over: object = {}): Promise<string> => {
  const body = { customer_id: await served.customer(), items: [{ description: 'Ink', unit_price: 10, taxes: [vat] }], ...over };
  return String((await call('POST /invoices', { body })).body['id']);
};
const submitted = async (over: object = {}): Promise<string> => {
  const id = await draft(over);
  expect((await call('POST /invoices/{id}/submit', { id })).status).toBe(200);
  const of = { id: system.ids.next(), account: callerOf(system).account, subject: id };
  await invoiceProcess.applyOutcome(system.context, outcomeEvent(of, 'document-registered', registration));
  return id;
};
const textOf = async ({ rawPayload }: { rawPayload: Buffer }): Promise<string> => (await pagesOf(rawPayload)).join(' ');
const numberOf = async (id: string) => String((await call('GET /invoices/{id}', { id })).body['number']);

describe('UBL', () => {
  test('of an issued invoice by a link; missing master data is told, and refuses nothing', async () => {
    const id = await submitted();
    const number = await numberOf(id);
    const { status, body } = await call('GET /invoices/{id}/ubl', { id });
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: 'file', url: expect.stringMatching(/^https:\/\/api\.example\.com\/files\/invoicing\./) });
    expect(body).toMatchObject({ conforms: false, missing: [{ rule: 'BR-11', field: 'customer.address.country' }] });
    const file = await open(body['url']);
    expect([file.statusCode, file.headers]).toEqual([
      200,
      expect.objectContaining({
        'content-type': 'application/xml; charset=utf-8',
        'content-disposition': `attachment; filename="${number}.xml"`,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': 'sandbox',
      }),
    ]);
    const parsed = new XMLParser().parse(file.body) as { Invoice: Record<string, string> };
    expect(parsed.Invoice['cbc:ID']).toBe(number);
  });

  test('a draft has none, and what EN 16931 has no place for is not_representable', async () => {
    expect(await call('GET /invoices/{id}/ubl', { id: await draft() })).toMatchObject({
      status: 422,
      body: { error: { code: 'invalid_state' } },
    });
    const taxes = [{ category: 'IGIC', rate: 7 }];
    const id = await submitted({ items: [{ description: 'Ink', unit_price: 10, taxes }] });
    expect(await call('GET /invoices/{id}/ubl', { id })).toMatchObject({
      status: 422,
      body: { error: { code: 'not_representable', details: { 'items.0.taxes.0.category': [expect.any(String)] } } },
    });
  });

  const line = (unit_price: number, ...taxes: object[]) => ({ description: 'Ink', unit_price, taxes });
  const because = { exemption_reason: 'as the law says' };

  test.each<[string, object, string]>([
    ['more than two decimals', { currency: 'KWD', items: [line(1.005, vat)] }, 'currency'],
    ['a tax other than VAT', { items: [line(1, vat, { category: 'ECO', rate: 1 })] }, 'items.0.taxes.1.category'],
    ['IGIC', { items: [line(1, { category: 'IGIC', rate: 7 })] }, 'items.0.taxes.0.category'],
    ['IPSI', { items: [line(1, { category: 'IPSI', rate: 4 })] }, 'items.0.taxes.0.category'],
    ['an intra-community supply without its day', { items: [line(1, { rate: 0, code: 'K', ...because })] }, 'supply_date'],
    ['O beside others', { items: [line(1, vat), line(1, { rate: 0, code: 'O', ...because })] }, 'items'],
    ['no tax beside others', { items: [line(1, vat), line(1)] }, 'items'],
    ['a surcharge whose sums do not agree', { items: [line(0.12, { rate: 21, surcharge: 5.2 })] }, 'tax_breakdown'],
    ['precise sums that do not agree', { rounding: 'precise', items: [1, 2, 3].map(() => line(0.333, vat)) }, 'rounding'],
  ])('%s is issued, has a PDF, and as UBL is not_representable', async (_, body, field) => {
    const id = await submitted(body);
    const { status, body: answer } = await call('GET /invoices/{id}/ubl', { id });
    expect([status, answer['error']]).toEqual([422, expect.objectContaining({ code: 'not_representable' })]);
    expect(Object.keys((answer['error'] as { details: object }).details)).toEqual([field]);
    expect((await open((await call('GET /invoices/{id}/pdf', { id })).body['url'])).statusCode).toBe(200);
  });

  test('a document that lacks nothing conforms', async () => {
    const address = { line1: 'Ermou 2', city: 'Athens', postal_code: '10563', country: 'GR' };
    const customer = await call('POST /customers', { body: { name: 'Jo', address } });
    const id = await submitted({ customer_id: customer.body['id'] });
    expect((await call('GET /invoices/{id}/ubl', { id })).body).toMatchObject({ conforms: true, missing: [] });
  });

  test('an exemption or reverse charge without a reason spends no number', async () => {
    for (const code of ['E', 'AE']) {
      const exempt = { rate: 0, code };
      const item = { description: 'Ink', unit_price: 10, taxes: [vat] };
      const id = await draft({ items: [item, { ...item, taxes: [exempt] }] });
      expect(await call('POST /invoices/{id}/submit', { id })).toMatchObject({
        status: 422,
        body: { error: { code: 'validation_error', details: { 'items.1.taxes.0.exemption_reason': [expect.any(String)] } } },
      });
      expect(await numberOf(id)).toBe('null');
      const reasoned = { ...item, taxes: [{ ...exempt, exemption_reason: 'as the law says' }] };
      const items = [item, reasoned, code === 'AE' ? { ...item, taxes: [exempt] } : reasoned]; // an exemption states its own on each line
      await call('PATCH /invoices/{id}', { id, body: { items } });
      expect((await call('POST /invoices/{id}/submit', { id })).status).toBe(200);
    }
  });

  test('an id that the caller does not have has no link', async () => {
    for (const id of [`inv_${'0'.repeat(26)}`, 'nonsense']) expect((await call('GET /invoices/{id}/ubl', { id })).status).toBe(404);
  });
});

describe('PDF', () => {
  test('of an invoice by a link, the same bytes each time, and marked where it is voided', async () => {
    const id = await submitted();
    const number = await numberOf(id);
    const { status, body } = await call('GET /invoices/{id}/pdf', { id });
    expect([status, Object.keys(body)]).toEqual([200, ['object', 'url', 'expires_at']]);
    const [file, again] = [await open(body['url']), await open((await call('GET /invoices/{id}/pdf', { id })).body['url'])];
    expect(file.headers).toMatchObject({
      ...{ 'content-type': 'application/pdf', 'content-disposition': `inline; filename="${number}.pdf"` },
      ...{ 'content-security-policy': "default-src 'none'; frame-ancestors 'self'", 'x-content-type-options': 'nosniff' },
    });
    expect(file.rawPayload.equals(again.rawPayload)).toBe(true);
    expect(await textOf(file)).toMatch(new RegExp(`TEST.*Sandbox Company.*${number}.*Total EUR 12.00`));
    await call('POST /invoices/{id}/void', { id, body: { reason: 'entered twice' } });
    const of = { id: system.ids.next(), account: callerOf(system).account, subject: id };
    await invoiceProcess.applyOutcome(system.context, outcomeEvent(of, 'document-cancelled', cancellation));
    expect(await textOf(await open(body['url']))).toContain('VOIDED');
  });

  test('of a draft with the parties as they are now, marked as a draft', async () => {
    const id = await draft();
    const { body } = await call('GET /invoices/{id}/pdf', { id });
    expect(await textOf(await open(body['url']))).toMatch(/DRAFT.*TEST.*Sandbox Company.*Invoice Customer Jo/);
  });

  test('of a receipt', async () => {
    const body = { items: [{ description: 'Ink', unit_price: 10, taxes: [vat] }], payment_method: 'cash' };
    const receipt = (await call('POST /receipts', { body })).body;
    const link = await call('GET /receipts/{id}/pdf', { id: String(receipt['id']) });
    expect(link.status).toBe(200);
    expect(await textOf(await open(link.body['url']))).toMatch(new RegExp(`Receipt.*${String(receipt['number'])}.*Cash 10.00`));
  });

  test('an id that the caller does not have has no link', async () => {
    expect((await call('GET /invoices/{id}/pdf', { id: `inv_${'0'.repeat(26)}` })).status).toBe(404);
    expect((await call('GET /receipts/{id}/pdf', { id: `rcp_${'0'.repeat(26)}` })).status).toBe(404);
  });
});

test('a link that is changed, or of nothing, is 404 with the usual error', async () => {
  const { body } = await call('GET /invoices/{id}/ubl', { id: await submitted() });
  const url = String(body['url']);
  for (const changed of [`${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`, `${url}x`, 'https://api.example.com/files/invoicing.x']) {
    const answer = await open(changed);
    expect([answer.statusCode, answer.json()]).toEqual([404, { error: expect.objectContaining({ code: 'not_found' }) }]);
  }
});
