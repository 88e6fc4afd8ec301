import { reportNames } from '@svc/contracts/report/rows';
import { startReportingApp } from '../testing/reporting-app.ts';
import { customerId, invoiceEvent, invoiceId, receiptEvent, receiptId, registered, voidedAt } from '../testing/sample-documents.ts';

let app: Awaited<ReturnType<typeof startReportingApp>>;
const pending = { fiscal: { ...registered, status: 'pending' } };

/** A document's number, and its registration, and what more there is, a line each. */
const life = (
  make: typeof invoiceEvent | typeof receiptEvent,
  n: number,
  over: object,
  { time, ...more }: { time?: string; voided?: ReturnType<typeof voidedAt> } = {},
) => [
  make(
    n,
    { ...over, ...pending },
    { sequence: 1, ...(time && { time }), entry: { type: 'numbered', numbered: { seq: n, series_key: 'S' } } },
  ),
  make(n, over, { sequence: 2, ...(time && { time }), entry: { type: 'registered' } }),
  ...(more.voided
    ? [make(n, { ...over, status: 'voided', void: more.voided }, { sequence: 3, time: more.voided.voided_at, entry: { type: 'voided' } })]
    : []),
];

beforeAll(async () => {
  app = await startReportingApp();
  const dollars = { currency: 'USD', subtotal: 0.1, tax_total: 0.2, total: 0.3, customer_id: customerId(2) };
  const time = '2026-01-31T23:20:00.000Z';
  await app.publish(
    ...life(invoiceEvent, 1, {}, { voided: voidedAt('2026-01-31T23:15:00.000Z') }),
    ...life(invoiceEvent, 2, { ...dollars, issue_date: '2026-02-01' }, { time }),
    ...life(invoiceEvent, 3, {
      type: 'credit_note',
      corrects: invoiceId(1),
      issue_date: '2026-01-12',
      subtotal: 30,
      tax_total: 6,
      total: 36,
    }),
    ...life(receiptEvent, 1, { issue_date: '2026-02-01' }),
  );
});
afterAll(() => app.close());

const period = 'from=2026-01-01&to=2026-02-28&as_of=2026-02-28';
const totals = async (query: string) =>
  (await app.get(`/reports/sales?${query}`)).body.totals.map(({ currency, total }) => [currency, total]);

test('lists the reports in the catalogue', async () => {
  const { body } = await app.get('/reports');
  expect(body.data.map(({ report }) => report)).toEqual(reportNames);
  expect((await app.get('/reports?per_page=5&page=2')).body.data).toHaveLength(reportNames.length - 5);
});

test('is ready when its database answers', async () => {
  expect(await app.health.ready()).toEqual({ ok: true, checks: { reporting: 'ok' } });
});

describe('a report', () => {
  test('has its parameters: by default the issuer’s current month, as of today, in all currencies', async () => {
    const { body } = await app.get('/reports/sales');
    expect(body).toMatchObject({
      object: 'report',
      report: 'sales',
      livemode: false,
      from: '2026-02-01',
      to: '2026-02-28',
      as_of: '2026-02-01',
      time_zone: 'Europe/Tirane',
      known_at: null,
      position: '2026-01-31T23:20:00.000Z',
      generated_at: '2026-01-31T23:30:00.000Z',
      open: { documents: 0, oldest_issue_date: null },
      data: [
        { key: '2026-02-01', currency: 'EUR', documents: 0, subtotal: 0, discount_total: 0, tax_total: 0, total: 0 },
        { key: '2026-02-01', currency: 'USD', documents: 1, subtotal: 0.1, discount_total: 0, tax_total: 0.2, total: 0.3 },
      ],
      totals: [
        { currency: 'EUR', documents: 0, total: 0 },
        { currency: 'USD', documents: 1, total: 0.3 },
      ],
      meta: { current_page: 1, per_page: 20, total: 2, last_page: 1 },
    });
  });

  test('includes both days of the period, and no document after as_of', async () => {
    expect(await totals('from=2026-01-10&to=2026-01-10&as_of=2026-01-10')).toEqual([['EUR', 120]]);
    expect(await totals('from=2026-01-11&to=2026-01-11')).toEqual([]);
    expect(await totals('from=2026-01-01&to=2026-02-28&as_of=2026-01-31')).toEqual([['EUR', 84]]); // Neither the void nor the receipt.
    expect(await totals(period)).toEqual([
      ['EUR', 84], // Less the void, plus the receipt.
      ['USD', 0.3],
    ]);
  });

  test('filters documents by kind and currency', async () => {
    expect(await totals(`${period}&kind=receipts`)).toEqual([['EUR', 120]]);
    expect(await totals(`${period}&kind=invoices&currency=EUR`)).toEqual([['EUR', -36]]);
    expect(await totals(`${period}&currency=USD`)).toEqual([['USD', 0.3]]);
  });

  test('cites the documents of each row, a void as a subtraction', async () => {
    const { body } = await app.get(`/reports/sales?${period}&group_by=month&currency=EUR&cite=true`);
    expect(body.data.map(({ key, documents, cited }) => [key, documents, cited])).toEqual([
      [
        '2026-01',
        2,
        [
          { id: invoiceId(1), number: 'INV-2026-1', amount: 120 },
          { id: invoiceId(3), number: 'INV-2026-3', amount: -36 },
        ],
      ],
      [
        '2026-02',
        0,
        [
          { id: invoiceId(1), number: 'INV-2026-1', amount: -120 },
          { id: receiptId(1), number: 'RCP-2026-1', amount: 120 },
        ],
      ],
    ]);
  });

  test('pages the rows; the totals are of all pages', async () => {
    const whole = (await app.get(`/reports/sales?${period}`)).body;
    const second = (await app.get(`/reports/sales?${period}&per_page=2&page=2`)).body;
    expect(second.data).toEqual(whole.data.slice(2, 4));
    expect(second.totals).toEqual(whole.totals);
    expect(second).toMatchObject({
      meta: { current_page: 2, per_page: 2, total: 4, last_page: 2 },
      links: { next: null, prev: `https://api.example/v1/reports/sales?${period}&per_page=2&page=1` },
    });
  });

  test.each(reportNames)('%s has no documents of another account or environment', async (name) => {
    for (const asks of [{ env: 'live' as const }, { account: 'acct_01jqz5rk4e7000000000000002' }]) {
      const { body } = await app.get(`/reports/${name}`, asks);
      // Without documents days are UTC days: January.
      expect(body).toMatchObject({ from: '2026-01-01', as_of: '2026-01-31', time_zone: 'UTC', position: null, data: [], totals: [] });
    }
  });

  test('tax and customers have their own columns', async () => {
    const tax = (await app.get(`/reports/tax?${period}&kind=receipts`)).body;
    const amounts = { base: 100, tax: 20, retained: 0, issuer_base: 100, issuer_tax: 20 };
    expect(tax.data).toEqual([{ category: 'VAT', code: 'S', rate: 20, currency: 'EUR', documents: 1, ...amounts }]);
    const customers = (await app.get(`/reports/customers?${period}&currency=USD`)).body;
    expect(customers.data).toEqual([
      { customer_id: customerId(2), customer_name: null, currency: 'USD', documents: 1, total: 0.3, paid: 0, due: 0.3 },
    ]);
  });
});

describe('an invalid request', () => {
  test('for a report that there is not gets not_found', async () => {
    expect(await app.get('/reports/weather')).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });

  test.each([
    ['sales', 'group_by=authority', 'group_by'],
    ['tax', 'group_by=day', 'group_by'],
    ['customers', 'from=2026-03-01&to=2026-02-01', 'from'],
    ['sales', 'known_at=2026-01-31T23:26:00Z', 'known_at'],
  ])('%s?%s', async (name, query, parameter) => {
    const { status, body } = await app.get(`/reports/${name}?${query}`);
    expect([status, body.error.code, Object.keys(body.error.details ?? {})]).toEqual([400, 'invalid_request', [parameter]]);
  });
});
