import { pagesOf } from '@svc/document-files/pdf/testing/text';
import { startReportingApp } from '../../testing/reporting-app.ts';
import { customerId, invoiceEvent, invoiceId, issuer, registered } from '../../testing/sample-documents.ts';

let app: Awaited<ReturnType<typeof startReportingApp>>;
const customer = { id: customerId(1), email: null, phone: null, tax_id: null, language: null, address: null };
const named = { customer: { ...customer, name: '=Blue Heron' } };
/** A registered invoice of 120 EUR. */
async function publish(n: number, over: object = {}, time = '2026-01-10T09:00:01.000Z'): Promise<void> {
  await app.publish(
    invoiceEvent(n, { ...over, fiscal: { ...registered, status: 'pending' } }, { sequence: 1, time, entry: { type: 'numbered' } }),
    invoiceEvent(n, over, { sequence: 2, time, entry: { type: 'registered' } }),
  );
}
const pay = (n: number, amount: number, paid_at: string) =>
  app.publish(
    invoiceEvent(n, {}, { sequence: 3, entry: { type: 'payment_recorded', payment: { id: `pay_${n}`, amount, paid_at } as never } }),
  );

beforeAll(async () => {
  app = await startReportingApp();
  await publish(1, { ...named, due_date: '2026-01-20' });
  await publish(2, { due_date: '2026-01-15', currency: 'USD' });
  await publish(3, { ...named, customer_id: customerId(2) });
  await publish(4);
  await publish(5, { type: 'credit_note', corrects: invoiceId(1), total: 36 });
  await pay(1, 50, '2026-01-25');
  await pay(4, 120, '2026-01-26');
});
afterAll(() => app.close());

const statement = (query = '', id = customerId(1)) => app.get(`/customers/${id}/statement?${query}`);
const numbers = (body: { data: Record<string, unknown>[] }) => body.data.map(({ number, due }) => [number, due]);

test('has what is open on a day, by due date, and a total per currency', async () => {
  const { status, body } = await statement('as_of=2026-01-31');
  expect([status, body['object'], body['as_of'], body['customer_id'], body['customer_name']]).toEqual([
    ...[200, 'statement', '2026-01-31', customerId(1), '=Blue Heron'],
  ]);
  expect(body.data).toEqual([
    {
      ...{ due_date: '2026-01-15', issue_date: '2026-01-10', number: 'INV-2026-2', document_id: invoiceId(2) },
      ...{ currency: 'USD', total: 120, due: 120 },
    },
    {
      ...{ due_date: '2026-01-20', issue_date: '2026-01-10', number: 'INV-2026-1', document_id: invoiceId(1) },
      ...{ currency: 'EUR', total: 120, due: 34 },
    },
  ]);
  expect(body.totals).toEqual([
    { currency: 'EUR', total: 120, due: 34 },
    { currency: 'USD', total: 120, due: 120 },
  ]);
});

test('is as of the day: payments of later days are not there', async () => {
  expect(numbers((await statement('as_of=2026-01-25&currency=EUR')).body)).toEqual([
    ['INV-2026-4', 120],
    ['INV-2026-1', 34],
  ]);
  expect(numbers((await statement('as_of=2026-01-24&currency=EUR')).body)).toEqual([
    ['INV-2026-4', 120],
    ['INV-2026-1', 84],
  ]);
});

test('comes in pages; a customer without invoices, and one of another account, has none', async () => {
  const { body } = await statement('as_of=2026-01-25&per_page=1&page=2');
  expect([numbers(body), body['meta']]).toEqual([[['INV-2026-2', 120]], { current_page: 2, per_page: 1, total: 3, last_page: 3 }]);
  expect((await statement('', customerId(9))).body).toMatchObject({ customer_name: null, data: [], totals: [] });
  const other = await app.get(`/customers/${customerId(1)}/statement`, { account: 'acct_other' });
  expect(other.body.data).toEqual([]);
});

test('as a file: all items, guarded against formulas, of what was known when it was asked for', async () => {
  const { body } = await statement('as_of=2026-01-31&format=csv&per_page=1');
  await publish(6, {}, '2026-01-31T20:00:00.000Z');
  const { status, headers, bytes } = await app.open(new URL(String(body['url'])).pathname);
  expect([status, headers['content-disposition']]).toEqual([200, expect.stringContaining('statement-')]);
  expect(bytes.subarray(3).toString()).toBe(
    'due_date,issue_date,number,document_id,customer_name,currency,total,due\r\n' +
      `2026-01-15,2026-01-10,INV-2026-2,${invoiceId(2)},,USD,120,120\r\n` +
      `2026-01-20,2026-01-10,INV-2026-1,${invoiceId(1)},'=Blue Heron,EUR,120,34\r\n`,
  );
});

describe('as a PDF', () => {
  const pdfOf = async (query: string, id = customerId(1)) => {
    const { status, body } = await app.get(`/customers/${id}/statement?format=pdf&${query}`);
    expect([status, body['object']]).toEqual([200, 'file']);
    return app.open(new URL(String(body['url'])).pathname);
  };
  const textOf = async (bytes: Buffer): Promise<string> => (await pagesOf(bytes)).join(' ');

  test('by a link: the issuer and the customer as on the last invoice, the open items, and the same sums as the list', async () => {
    const { status, headers, bytes } = await pdfOf('as_of=2026-01-31&currency=EUR');
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      ...[200, 'application/pdf', 'inline; filename="statement-2026-01-31.pdf"'],
    ]);
    expect(await textOf(bytes)).toMatch(/TEST.*Feed Ltd.*As of: 2026-01-31.*=Blue Heron.*INV-2026-1 2026-01-10 2026-01-20 120.00 34.00/);
    expect(await textOf((await pdfOf('as_of=2026-01-31')).bytes)).toMatch(/Total EUR 240.00 154.00.*Total USD 120.00 120.00/);
  });

  test('names the issuer and the customer as they were known when it was asked for, also when a later invoice shows others', async () => {
    const seen = (name: string) => ({
      customer: { ...customer, id: customerId(7), name },
      customer_id: customerId(7),
    });
    await publish(7, seen('Grey Heron'), '2026-01-31T20:10:00.000Z');
    const { body } = await app.get(`/customers/${customerId(7)}/statement?format=pdf&as_of=2026-01-31`);
    const { pathname } = new URL(String(body['url']));
    const before = await textOf((await app.open(pathname)).bytes);
    expect(before).toContain('Grey Heron');
    await publish(8, { ...seen('White Egret'), issuer: { ...issuer, legal_name: 'Later Ltd' } }, '2026-01-31T20:20:00.000Z');
    expect(await textOf((await app.open(pathname)).bytes)).toBe(before);
    const after = await textOf((await pdfOf('as_of=2026-01-31', customerId(7))).bytes);
    expect(after).toMatch(/Later Ltd.*White Egret/);
    await publish(9, seen('Grey Heron'), '2026-01-31T20:15:00.000Z');
    expect(await textOf((await pdfOf('as_of=2026-01-31', customerId(7))).bytes)).toMatch(/Later Ltd.*White Egret/);
  });

  test('of a customer without invoices says that nothing is open', async () => {
    expect(await textOf((await pdfOf('', customerId(9))).bytes)).toContain('Nothing is open.');
  });
});
