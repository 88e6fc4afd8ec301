import { decimal, iso, numberText, sum, toText, ZERO, type Decimal } from '@svc/kernel';
import { seeded } from '@svc/kernel/testing/seeded';
import { deliver } from '../testing/deliver.ts';
import { randomHistory } from '../testing/random-history.ts';
import { startReportingApp } from '../testing/reporting-app.ts';

const FIRST = Number(process.env['SEED'] ?? 20_261_130);
const seeds = Array.from({ length: 3 }, (_, n) => FIRST + n);

interface Row extends Record<string, unknown> {
  currency?: string;
  cited: ({ id: string } & Record<string, number>)[];
}
type App = Awaited<ReturnType<typeof startReportingApp>>;

/** Figures of rows by what their citations name beside `amount`, which is of the first one. */
const FIGURES: Record<string, Record<string, string[]>> = {
  sales: { amount: ['total'] },
  tax: { amount: ['base'], tax: ['tax', 'retained'] },
  products: { amount: ['net'] },
  receivables: { amount: ['total'] },
  customers: { amount: ['total'], paid: ['paid'], due: ['due'] },
  submissions: { amount: ['submitted'] },
};
const exact = (value: unknown): Decimal => decimal(numberText(value ?? 0));
const keyOf = ({ currency, ...row }: Row): string =>
  JSON.stringify([row['key'], row['customer_id'], row['product_id'], row['category'], row['code'], row['rate'], currency]);

async function rowsOf(app: App, name: string, query: Record<string, string>): Promise<Map<string, Row>> {
  const text = new URLSearchParams({ ...query, cite: 'true', per_page: '100' }).toString();
  const { status, body } = await app.get(`/reports/${name}?${text}`);
  expect([status, (body['meta'] as unknown as { last_page?: number } | undefined)?.last_page]).toEqual([200, 1]);
  return new Map((body.data as Row[]).map((row) => [keyOf(row), row]));
}

describe.each(seeds)('a closed month, seed %i', (seed) => {
  const { documents, events, days } = randomHistory(seed, 200);
  const random = seeded(seed + 1);
  const end = Date.parse(events.at(-1)?.time ?? '');
  let app: App;
  beforeAll(async () => {
    app = await startReportingApp(end + 10 * 60_000);
  });
  afterAll(() => app.close());

  test('differs later by what the citations of the difference name, and these are documents of which something was recorded since', async () => {
    const closed = events[Math.floor(events.length / 2)]?.time ?? '';
    const month = { from: days[0], to: closed.slice(0, 10), as_of: closed.slice(0, 10) };
    await deliver(
      app,
      events.filter(({ time }) => time <= closed),
      random,
    );
    const before = new Map<string, Map<string, Row>>();
    for (const name of Object.keys(FIGURES)) before.set(name, await rowsOf(app, name, month));
    await deliver(app, events, random);

    const since = new Set(events.filter(({ time }) => time > closed).map(({ subject }) => subject));
    /** A credit note changes what is due of its invoice. */
    for (const { id, corrects } of documents) if (since.has(id) && corrects) since.add(corrects.id);
    let differences = 0;
    for (const [name, figures] of Object.entries(FIGURES)) {
      const [then, now] = [before.get(name) ?? new Map<string, Row>(), await rowsOf(app, name, month)];
      for (const key of new Set([...then.keys(), ...now.keys()])) {
        const rows = [then.get(key), now.get(key)] as const;
        for (const [cited, columns] of Object.entries(figures)) {
          const [was, is] = rows.map((row) => sum(columns.map((column) => exact(row?.[column])))) as [Decimal, Decimal];
          const [of, by] = rows.map((row) => Map.groupBy(row?.cited ?? [], ({ id }) => id));
          const amountOf = (id: string, cites: typeof of) => sum((cites?.get(id) ?? []).map((one) => exact(one[cited])));
          const ids = new Set([...(of?.keys() ?? []), ...(by?.keys() ?? [])]);
          const changes = [...ids]
            .map((id) => ({ id, change: amountOf(id, by).minus(amountOf(id, of)) }))
            .filter(({ change }) => !change.eq(ZERO));
          expect([name, key, cited, toText(sum(changes.map(({ change }) => change)))]).toEqual([name, key, cited, toText(is.minus(was))]);
          expect([name, key, changes.filter(({ id }) => !since.has(id))]).toEqual([name, key, []]);
          differences += changes.length;
        }
      }
    }
    expect(differences).toBeGreaterThan(0);
    const known = { ...month, known_at: iso(Date.parse(closed)) };
    for (const name of Object.keys(FIGURES)) expect([name, await rowsOf(app, name, known)]).toEqual([name, before.get(name)]);
  });
});
