import type { Grouping } from '@svc/contracts/report/query';
import { currencyDecimals, dayIn, decimal, numberText, plusDays, toText, type Day } from '@svc/kernel';
import { seeded } from '@svc/kernel/testing/seeded';
import { deliver } from '../testing/deliver.ts';
import { ZONE } from '../testing/model-document.ts';
import { plainFold, type Asked, type Sums } from '../testing/plain-fold.ts';
import { randomHistory } from '../testing/random-history.ts';
import { startReportingApp } from '../testing/reporting-app.ts';

const FIRST = Number(process.env['SEED'] ?? 20_261_128);
const seeds = Array.from({ length: 3 }, (_, n) => FIRST + n);

type App = Awaited<ReturnType<typeof startReportingApp>>;
type Row = Record<string, unknown> & { currency: string; cited?: ({ id: string; amount: number } & Record<string, unknown>)[] };

/** In whole units. */
const units = (value: unknown, places: number): bigint => BigInt(toText(decimal(numberText(value)).times(`1e${places}`)));
const keys: Record<string, (row: Row) => string> = {
  sales: ({ key, currency }) => `${key} ${currency}`,
  tax: ({ category, rate, currency }) => `${category} ${rate} ${currency}`,
  products: ({ product_id, currency }) => `${product_id} ${currency}`,
  receivables: ({ customer_id, currency }) => `${customer_id} ${currency}`,
  customers: ({ customer_id, currency }) => `${customer_id} ${currency}`,
};
const counts = ['documents', 'quantity'];
/** In the issuer's currency, the euro. */
const inIssuers = ['issuer_base', 'issuer_tax'];

/** A report's rows as the plain fold has them. */
function sumsOf(name: string, rows: readonly Row[]): Sums {
  const entries = rows.map((row) => {
    const figures = Object.entries(row).filter(([field, value]) => typeof value === 'number' && field !== 'rate');
    const placesOf = (field: string): number =>
      counts.includes(field) ? 0 : inIssuers.includes(field) ? 2 : (currencyDecimals(row.currency) ?? 2);
    const amounts = figures.map(([field, value]) => [field, units(value, placesOf(field))] as const);
    return [keys[name]?.(row) ?? '', Object.fromEntries(amounts.filter(([, value]) => value !== 0n))] as const;
  });
  expect(new Set(entries.map(([key]) => key)).size).toBe(entries.length);
  return Object.fromEntries(entries.filter(([, row]) => Object.keys(row).length > 0));
}
const withoutNothing = (sums: Sums): Sums =>
  Object.fromEntries(
    Object.entries(sums).map(([key, row]) => [key, Object.fromEntries(Object.entries(row).filter(([, value]) => value !== 0n))]),
  );

async function rowsOf(app: App, name: string, asked: Partial<Asked>, more: { group_by?: Grouping; cite?: boolean } = {}): Promise<Row[]> {
  const { known_at, ...rest } = asked;
  const query = { ...rest, ...more, ...(known_at === undefined ? {} : { known_at: new Date(known_at).toISOString() }), per_page: 100 };
  const text = new URLSearchParams(Object.entries(query).map(([field, value]): [string, string] => [field, String(value)])).toString();
  const rows: Row[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { status, body } = await app.get(`/reports/${name}?${text}&page=${page}`);
    expect([status, body['error']]).toEqual([200, undefined]);
    rows.push(...(body.data as Row[]));
    pages = (body['meta'] as unknown as { last_page: number }).last_page;
  }
  return rows;
}

describe.each(seeds)('a random history, seed %i', (seed) => {
  let app: App;
  const { documents, events, days } = randomHistory(seed, 120);
  const judge = plainFold(documents);
  const random = seeded(seed + 1);
  const end = Date.parse(events.at(-1)?.time ?? '');
  const [first, last] = days;
  const dayAt = (): Day => plusDays(first, Math.floor(random() * 120));
  const whole: Asked = { from: first, to: last, as_of: last, known_at: end, kind: 'all' };

  beforeAll(async () => {
    app = await startReportingApp(end + 10 * 60_000);
    await deliver(app, events, random);
  });
  afterAll(() => app.close());

  test('nothing waits', async () => expect(await app.ledger.held.count({})).toBe(0));

  test('each report is a fold of the documents, as of any day and as known at any time', async () => {
    const names = ['sales', 'tax', 'products', 'receivables', 'customers'] as const;
    for (let turn = 0; turn < 5; turn += 1) {
      const from = turn === 0 ? first : dayAt();
      const asked: Asked = {
        ...{ from, to: turn === 0 ? last : plusDays(from, Math.floor(random() * 60)), as_of: turn === 0 ? last : dayAt() },
        known_at: turn % 2 === 0 ? end : end - Math.floor(random() * 90 * 86_400_000),
        kind: (['all', 'invoices', 'receipts'] as const)[turn % 3] ?? 'all',
      };
      for (const name of names)
        expect([name, asked, sumsOf(name, await rowsOf(app, name, asked))]).toEqual([name, asked, withoutNothing(judge[name](asked))]);
    }
  });

  test('submissions and numbers are those of the documents, as of any day and as known at any time', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const from = turn === 0 ? first : dayAt();
      const asked: Asked = {
        ...{ from, to: turn === 0 ? last : plusDays(from, Math.floor(random() * 60)), as_of: turn === 0 ? last : dayAt() },
        known_at: turn % 2 === 0 ? end : end - Math.floor(random() * 90 * 86_400_000),
        kind: (['all', 'invoices', 'receipts'] as const)[turn % 3] ?? 'all',
      };
      expect([asked, await rowsOf(app, 'submissions', asked)]).toEqual([asked, judge.submissions(asked)]);
      expect([asked, await rowsOf(app, 'numbering', asked)]).toEqual([asked, judge.numbering(asked)]);
    }
  });

  test('every figure is the sum of its citations', async () => {
    const beside: Record<string, string[]> = { customers: ['paid', 'due'], tax: ['issuer_base', 'issuer_tax'] };
    const amounts: Record<string, string> = { sales: 'total', tax: 'base', products: 'net', receivables: 'total', customers: 'total' };
    for (const [name, column] of Object.entries(amounts))
      for (const row of await rowsOf(app, name, { ...whole, as_of: dayAt() }, { cite: true })) {
        const places = currencyDecimals(row.currency) ?? 2;
        const sum = (field: string) => (row.cited ?? []).reduce((total, cited) => total + units(cited[field] ?? 0, places), 0n);
        expect([name, sum('amount')]).toEqual([name, units(row[column], places)]);
        if (name === 'tax') expect(sum('tax')).toBe(units(row['tax'], places) + units(row['retained'], places));
        for (const field of beside[name] ?? []) {
          const own = (row.cited ?? []).reduce((total, cited) => total + units(cited[field] ?? 0, 3), 0n);
          if (row[field] !== null) expect([name, field, own]).toEqual([name, field, units(row[field], 3)]);
        }
      }
    for (const group_by of ['day', 'authority'] as const)
      for (const row of await rowsOf(app, 'submissions', { ...whole, as_of: dayAt() }, { cite: true, group_by }))
        expect((row.cited ?? []).reduce((sum, { amount }) => sum + amount, 0)).toBe(row['submitted']);
  });

  test('rows name a customer as its documents do, also after it was erased', async () => {
    for (const [name, group_by] of [['sales', 'customer'], ['tax', 'customer'], ['customers'], ['receivables']] as [string, Grouping?][])
      for (const row of await rowsOf(app, name, whole, group_by && { group_by })) {
        const id = row['customer_id'] ?? row['key'] ?? null;
        const names = documents.filter(({ customer }) => customer === id).map((document) => document.name);
        expect(names).toContain(row['customer_name']);
      }
  });

  test('accounts agree: customers with receivables, tax with sales, however they are grouped', async () => {
    const asked = { ...whole, kind: 'invoices' as const, as_of: dayAt() };
    const total = (rows: readonly Row[], field: string): Record<string, bigint> => {
      const sums: Record<string, bigint> = {};
      for (const row of rows) sums[row.currency] = (sums[row.currency] ?? 0n) + units(row[field], currencyDecimals(row.currency) ?? 2);
      return Object.fromEntries(Object.entries(sums).filter(([, value]) => value !== 0n));
    };
    expect(total(await rowsOf(app, 'customers', asked), 'due')).toEqual(total(await rowsOf(app, 'receivables', asked), 'total'));
    const [sales, tax] = [await rowsOf(app, 'sales', asked, { group_by: 'month' }), await rowsOf(app, 'tax', asked)];
    const vat = tax.filter(({ category }) => category === 'VAT');
    const bases = Object.entries(judge.withoutBase(asked)).reduce(
      (sums, [currency, rest]) => {
        return { ...sums, [currency]: (sums[currency] ?? 0n) + rest };
      },
      total(vat, 'base'),
    );
    expect(Object.fromEntries(Object.entries(bases).filter(([, value]) => value !== 0n))).toEqual(total(sales, 'subtotal'));
    for (const group_by of ['day', 'week', 'customer', 'product', 'unit', 'payment_method'] as const)
      expect([group_by, total(await rowsOf(app, 'sales', asked, { group_by }), 'total')]).toEqual([group_by, total(sales, 'total')]);
  });

  test('receivables as of every day are what the invoices said on that day is due', async () => {
    const said = new Map<string, readonly [currency: string, due: bigint]>();
    const sumsOf = (all: Iterable<readonly [currency: string, due: bigint]>): Record<string, bigint> => {
      const sums: Record<string, bigint> = {};
      for (const [currency, due] of all) sums[currency] = (sums[currency] ?? 0n) + due;
      return Object.fromEntries(Object.entries(sums).filter(([, due]) => due !== 0n));
    };
    const placesOf = (currency: string): number => currencyDecimals(currency) ?? 2;
    let at = 0;
    for (let day = dayIn(ZONE, Date.parse(events[0]?.time ?? '')); at < events.length; day = plusDays(day, 1)) {
      for (; at < events.length && dayIn(ZONE, Date.parse(events[at]?.time ?? '')) <= day; at += 1) {
        const { subject, data } = events[at] as (typeof events)[number];
        if (data.object === 'receipt') continue;
        const { currency, status, amount_due } = data;
        said.set(subject, [currency, status === 'submitted' ? units(amount_due, placesOf(currency)) : 0n]);
      }
      const { body } = await app.get(`/reports/receivables?as_of=${day}&known_at=${events[at - 1]?.time}`);
      const totals = body.totals as unknown as { currency: string; total: number }[];
      const reported = totals.map(({ currency, total }) => [currency, units(total, placesOf(currency))] as const);
      expect([day, sumsOf(reported)]).toEqual([day, sumsOf(said.values())]);
    }
  });

  test('an answer with known_at stays as it is while the history goes on', async () => {
    const other = await startReportingApp(end + 10 * 60_000);
    const half = Date.parse(events[Math.floor(events.length / 2)]?.time ?? '');
    const asked = { ...whole, known_at: half };
    const look = async () => {
      const names = ['sales', 'tax', 'receivables', 'customers', 'products', 'submissions', 'numbering'];
      const all = await Promise.all(
        names.map((name) =>
          other.get(
            `/reports/${name}?${new URLSearchParams({ from: first, to: last, as_of: last, known_at: new Date(asked.known_at).toISOString(), ...(name === 'submissions' || name === 'numbering' ? {} : { cite: 'true' }) })}`,
          ),
        ),
      );
      return all.map(({ status, body }) => JSON.stringify([status, body]));
    };
    await deliver(
      other,
      events.filter(({ time }) => Date.parse(time) <= half),
      random,
    );
    const before = await look();
    await deliver(other, events, random);
    expect(await look()).toEqual(before);
    await other.close();
  });
});
