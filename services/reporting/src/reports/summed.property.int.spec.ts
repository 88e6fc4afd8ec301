import type { Grouping } from '@svc/contracts/report/query';
import { plusDays, type Day } from '@svc/kernel';
import { seeded } from '@svc/kernel/testing/seeded';
import { deliver } from '../testing/deliver.ts';
import { randomHistory } from '../testing/random-history.ts';
import { startReportingApp } from '../testing/reporting-app.ts';

const FIRST = Number(process.env['SEED'] ?? 20_261_129);
const seeds = Array.from({ length: 2 }, (_, n) => FIRST + n);
type App = Awaited<ReturnType<typeof startReportingApp>>;

const asked: [name: string, group_by?: Grouping][] = [
  ...(['day', 'week', 'month', 'customer', 'product', 'payment_method', 'device', 'operator', 'unit'] as const).map(
    (group_by): [string, Grouping] => ['sales', group_by],
  ),
  ...([
    ['tax'],
    ['tax', 'customer'],
    ['receivables'],
    ['customers'],
    ['products'],
    ['submissions'],
    ['submissions', 'authority'],
    ['numbering'],
  ] as [string, Grouping?][]),
];

/** Blocks of some ten postings, which are split while the history goes on. */
const SIZES = { split: 8, least: 3, parts: 40 };
/** Longer than a block rests. */
const RESTED_MS = 31_000;

describe.each(seeds)('a random history, seed %i, whose blocks are summed now and then', (seed) => {
  let app: App;
  /** The same without sums. */
  let plain: App;
  const { events, days } = randomHistory(seed, 200);
  const random = seeded(seed + 1);
  const end = Date.parse(events.at(-1)?.time ?? '');
  const [first, last] = days;

  beforeAll(async () => {
    app = await startReportingApp(end + 10 * 60_000, SIZES);
    plain = await startReportingApp(end + 10 * 60_000, { split: 8, least: Infinity, parts: 40 });
  });
  afterAll(async () => {
    await app.close();
    await plain.close();
  });

  async function answerTo(of: App, name: string, query: Record<string, string | undefined>) {
    const given = Object.entries({ ...query, per_page: '100' }).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const { status, body } = await of.get(`/reports/${name}?${new URLSearchParams(given).toString()}`);
    expect([status, body['error']]).toEqual([200, undefined]);
    const { generated_at: _, ...answer } = body as Record<string, unknown>;
    return answer;
  }
  async function compare(query: Record<string, string | undefined>): Promise<void> {
    for (const [name, group_by] of asked) {
      const one = { ...query, group_by, ...(name === 'receivables' && { cite: 'true' }) };
      expect([name, group_by, query, await answerTo(app, name, one)]).toEqual([name, group_by, query, await answerTo(plain, name, one)]);
    }
  }
  const dayAt = (): Day => plusDays(first, Math.floor(random() * 200));
  function period(): Record<string, string | undefined> {
    const from = dayAt();
    return {
      ...{ from, to: plusDays(from, Math.floor(random() * 90)), as_of: dayAt() },
      kind: (['all', 'invoices', 'receipts'] as const)[Math.floor(random() * 3)],
      currency: [undefined, 'EUR', 'JPY'][Math.floor(random() * 3)],
      known_at: random() < 0.5 ? undefined : new Date(end - Math.floor(random() * 60 * 86_400_000)).toISOString(),
    };
  }

  test('reports from sums are those from postings, whatever has been summed', async () => {
    const parts = 4;
    for (let part = 0; part < parts; part += 1) {
      const [from, to] = [part, part + 1].map((n) => Math.floor((events.length * n) / parts));
      for (const one of [app, plain]) await deliver(one, events.slice(from, to), random);
      if (part < parts - 1) await app.passTime(RESTED_MS);
      if (part % 2 === 1) await compare({ from: first, to: last, as_of: last });
      await compare(period());
    }
    await app.passTime(RESTED_MS);
    while ((await app.ledger.blocks.count({ due_at: { $gte: 0 } })) > 0) await app.passTime(1_000);
    const blocks = await Array.fromAsync(app.ledger.blocks.find({}));
    expect(blocks.filter(({ summed }) => summed !== null).length).toBeGreaterThan(blocks.length / 2);
    expect(blocks.length).toBeGreaterThan(10);
    await compare({ from: first, to: last, as_of: last });
    for (let turn = 0; turn < 8; turn += 1) await compare(period());
  });
});
