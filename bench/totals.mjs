// npm run bench totals: processor time of a new invoice's content and totals, as a ratio to the same code on big.js (libs/kernel/src/testing).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const ROUNDS = 7;
/** Rounds until V8 has compiled and recompiled all of it: half a second on an idle processor, longer on a busy one. */
const WARM_UP = 15;
const GOAL = 2;
const root = join(import.meta.dirname, '..');
const kernel = join(root, 'libs/kernel/src');

const line = { description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20 };
const lines = (count, of) => Array.from({ length: count }, (_, n) => of(n));
const discounted = (n) => ({ ...line, unit_price: (100 * n + 99) / 100, discounts: [{ percent: 2.5 }, { amount: 0.5 }] });
/** Ten taxes together: one a line, since a document bears at most 1,000. */
const ofTenTaxes = (n) => ({ ...line, unit_price: (100 * n + 99) / 100, tax_rate: 1 + (n % 10) });
/** Two a line: as many as a document bears. */
const ofTwoTaxes = (n) => ({ ...undescribed(n), taxes: [tax('A', 1 + (n % 10)), tax('B', 1 + (n % 10))] });
const withheld = (n) => ({ ...undescribed(n), taxes: [tax('A', 1 + (n % 10)), { ...tax('R', 15), retained: true }] });
const ofItsOwnTaxes = (n) => ({ ...undescribed(n), taxes: [tax(`A${n}`, 1 + (n % 10)), tax(`B${n}`, 2)] });
const undescribed = (n) => ({ quantity: 2, unit_price: (100 * n + 99) / 100 });
const tax = (category, rate) => ({ category, rate });
/** Amounts of so many digits that their products are no safe integers. */
const long = (n) => ({ quantity: '1234567.12345678', unit_price: `${n + 1}123.12345678` });
const percents = lines(50, (n) => ({ percent: 0.123456 + n / 100 }));
const adjusted = { discounts: percents, charges: percents };
const cases = {
  '3 lines': { items: lines(3, () => line) },
  '3 lines, prices include tax': { items: lines(3, () => line), prices_include_tax: true },
  '3 lines, precise': { items: lines(3, () => line), rounding: 'precise' },
  '20 lines with discounts': { items: lines(20, discounted), discounts: [{ percent: 3 }] },
  '20 lines of 12 digits': { items: lines(20, (n) => ({ ...line, quantity: '123456.78901', unit_price: `${n}12345.678901` })) },
  '500 lines of 10 taxes': { items: lines(500, ofTenTaxes) },
  '500 lines × 2 taxes': { items: lines(500, ofTwoTaxes) },
  '500 lines × 2 taxes, prices include tax, precise': { items: lines(500, withheld), prices_include_tax: true, rounding: 'precise' },
  '500 lines × 2 taxes of their own, 100 adjustments': { items: lines(500, ofItsOwnTaxes), ...adjusted },
  '500 lines × 2 taxes of their own, 100 adjustments, long': {
    items: lines(500, (n) => ({ ...ofItsOwnTaxes(n), ...long(n) })),
    ...adjusted,
  },
};
const preconditions = {
  defaults: {
    currency: 'EUR',
    prices_include_tax: false,
    rounding: 'line',
    default_tax_rate: '20',
    series: { standard: { code: 'A' } },
  },
  today: '2026-01-01',
  customerKnown: true,
  products: new Map(),
  original: null,
};

const onBigJs = {
  name: 'decimals of big.js',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/decimal\.ts$/ }, ({ importer }) =>
      importer === join(kernel, 'index.ts') ? { path: 'decimals', namespace: 'big.js' } : undefined,
    );
    const contents = `import { bigDecimals } from './testing/big-decimals.ts';
      export const { decimal, ZERO, ONE, round, percentOf, sum, toText, quotient, sharing } = bigDecimals;
      export { currencies, currencyDecimals } from './decimal.ts';`;
    onLoad({ filter: /./, namespace: 'big.js' }, () => ({ contents, resolveDir: kernel }));
  },
};

async function newContentOn(plugins, outfile) {
  const entry = join(root, 'services/invoicing/src/invoice/domain/content.ts');
  const options = { bundle: true, format: 'esm', platform: 'node', conditions: ['@svc/source'], plugins };
  await build({ ...options, entryPoints: [entry], outfile });
  return (await import(outfile)).newContent;
}

/** µs of processor time a call, over at least 100 ms. */
function costOf(call) {
  const begun = process.cpuUsage();
  let calls = 0;
  for (const end = performance.now() + 100; performance.now() < end; calls += 1) call();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / calls;
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-totals-'));
  const ours = await newContentOn([], join(folder, 'ours.mjs'));
  const big = await newContentOn([onBigJs], join(folder, 'big.mjs'));
  rmSync(folder, { recursive: true });
  return Object.entries(cases).map(([figure, body]) => {
    const calls = [ours, big].map(
      (newContent) => () => newContent({ id: 'inv_1', body: { customer_id: 'cus_1', ...body } }, preconditions),
    );
    const rounds = Array.from({ length: WARM_UP + ROUNDS }, () => calls.map(costOf)).slice(WARM_UP);
    const [micros, bigMicros] = calls.map((_, n) => median(rounds.map((costs) => costs[n])));
    const value = bigMicros / micros;
    return {
      figure: `totals, big.js ÷ ours: ${figure}`,
      value,
      goal: GOAL,
      ok: value >= 0.75 * GOAL,
      µs: micros.toFixed(1),
      'big.js, µs': bigMicros.toFixed(1),
    };
  });
}
