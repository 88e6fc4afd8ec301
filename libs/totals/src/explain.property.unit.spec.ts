import { MOST_STEPS } from '@svc/contracts/invoice/preview';
import { numberText } from '@svc/kernel';
import { seeded } from '@svc/kernel/testing/seeded';
import { explain } from './explain.ts';
import type { Adjustment, DocumentAdjustment, LineTerms, Tax, Terms } from './terms.ts';
import { withRows } from './portions.ts';
import { totalsOf } from './totals.ts';

type Content = Omit<Terms, 'decimals'> & { currency: string };
/** n / d, d > 0 */
type Fraction = readonly [n: bigint, d: bigint];
const of = (text: string): Fraction => {
  const [whole = '0', rest = ''] = text.split('.');
  return [BigInt(whole + rest), 10n ** BigInt(rest.length)];
};
const equal = ([a, b]: Fraction, [c, d]: Fraction): boolean => a * d === c * b;
const R = ([n, d]: Fraction, places: number): Fraction => {
  const scaled = (n < 0n ? -n : n) * 10n ** BigInt(places);
  const whole = scaled / d + ((scaled % d) * 2n >= d ? 1n : 0n);
  return [n < 0n ? -whole : whole, 10n ** BigInt(places)];
};

/** The value of a calculation as it is reported: +, −, ×, /, R() and `p % of x`. */
function valueOf(calculation: string, places: number): Fraction {
  const tokens = calculation.replace(/^(\S+) % of (.*)$/, '$1 × ($2) / 100').match(/-?\d+(\.\d+)?|R\(|[()+−×/]/g) ?? [];
  const take = (): string => tokens.shift() ?? '';
  function factor(): Fraction {
    const token = take();
    if (token !== '(' && token !== 'R(') return of(token);
    const inside = terms();
    take();
    return token === 'R(' ? R(inside, places) : inside;
  }
  function product(): Fraction {
    let [n, d] = factor();
    while (tokens[0] === '×' || tokens[0] === '/') {
      const by = take();
      const [a, b] = factor();
      [n, d] = by === '×' ? [n * a, d * b] : a < 0n ? [-n * b, -d * a] : [n * b, d * a];
    }
    return [n, d];
  }
  function terms(): Fraction {
    let [n, d] = product();
    while (tokens[0] === '+' || tokens[0] === '−') {
      const sign = take() === '+' ? 1n : -1n;
      const [a, b] = product();
      [n, d] = [n * b + sign * a * d, d * b];
    }
    return [n, d];
  }
  return terms();
}

const random = seeded(7);
const upTo = (most: number): number => Math.floor(random() * (most + 1));
const pick = <T>(list: readonly T[]): T => list[upTo(list.length - 1)]!;
const several = <T>(most: number, make: () => T): T[] => Array.from({ length: upTo(most) }, make);
const number = (most: number, places: number): string =>
  String(Number(`${upTo(most)}.${String(upTo(10 ** places - 1)).padStart(places, '0')}`));
const currencies = { JPY: 0, EUR: 2, KWD: 3 };

function randomContent(): Content {
  const currency = pick(['EUR', 'EUR', 'JPY', 'KWD'] as const);
  const adjustment = (): Adjustment => (upTo(1) ? { percent: number(20, 2) } : { amount: String(upTo(9)) });
  const surcharge = () => (upTo(4) ? {} : { surcharge: '5.2' });
  const borne = (): Tax => ({ category: 'VAT', code: 'S', rate: pick(['21', '10', '5.5', '8.1']), retained: false, ...surcharge() });
  const taxes = (): Tax[] => [borne(), ...(upTo(4) ? [] : [{ category: 'IRPF', code: 'S' as const, rate: '15', retained: true }])];
  const item = (): LineTerms => ({
    ...{ quantity: `${upTo(9) ? '' : '-'}${1 + upTo(40)}`, unit_price: number(9_999, 4), taxes: taxes() },
    ...{ discounts: several(2, adjustment), charges: several(1, adjustment) },
  });
  const ofDocument = (): DocumentAdjustment => ({ ...adjustment(), ...(upTo(2) ? {} : { taxes: taxes() }) });
  return {
    ...{ currency, prices_include_tax: upTo(1) === 1, rounding: pick(['line', 'precise']) },
    ...{ items: [item(), ...several(5, item)], discounts: several(2, ofDocument), charges: several(1, ofDocument) },
  };
}

test('each step is what its calculation comes to, rounded where its rule says so, and the last of a field is the amount of the document', () => {
  for (let n = 0; n < 2_000; n += 1) {
    const content = randomContent();
    const decimals = currencies[content.currency as keyof typeof currencies];
    const totals = totalsOf({ ...content, decimals });
    const last = new Map<string, string>();
    for (const { step, field, calculation, result, rule } of explain(content, totals).explanation) {
      const text = numberText(result);
      last.set(field, text);
      if (step === 'share' || (step === 'amount' && content.rounding === 'line')) {
        expect(rule).toContain('largest remainder');
        continue;
      }
      const value = valueOf(calculation, decimals);
      const isRounded = !rule.includes('not rounded');
      if (!equal(isRounded ? R(value, decimals) : value, of(text)))
        throw new Error(`${step} ${field}: ${calculation} is not ${text} (${rule}) in ${JSON.stringify(content)}`);
    }
    expect([last.get('total'), last.get('subtotal'), last.get('tax_total')]).toEqual([totals.total, totals.subtotal, totals.tax_total]);
    totals.tax_breakdown.forEach((row, at) => {
      expect(last.get(`tax_breakdown.${at}.amount`)).toBe(row.amount);
      expect(last.get(`tax_breakdown.${at}.base`) ?? row.base).toBe(row.base);
      expect(last.get(`tax_breakdown.${at}.surcharge.amount`)).toBe(row.surcharge?.amount);
    });
    totals.lines.forEach(({ amount }, at) => expect(last.get(`items.${at}.amount`) ?? amount).toBe(amount));
  }
});

test('a tax that is what the other notes on an invoice leave says by how much it differs from its own', () => {
  const taxes: Tax[] = [{ category: 'VAT', code: 'S', rate: '20', retained: false }];
  const items: LineTerms[] = [{ quantity: '1', unit_price: '68.33', discounts: [], charges: [], taxes }];
  const content = { currency: 'EUR', prices_include_tax: false, rounding: 'line' as const, items, discounts: [], charges: [] };
  const own = totalsOf({ ...content, decimals: 2 });
  const rest = withRows(content, own, { 'VAT|S|20': { base: '68.33', amount: '13.66' } });
  expect(
    explain(content, rest)
      .explanation.filter(({ rule }) => rule.includes('leave'))
      .map(({ field, calculation, result }) => [field, calculation, result]),
  ).toEqual([
    ['tax_breakdown.0.amount', '68.33 × 20 / 100 − 0.01', 13.66],
    ['tax_total', '13.67 − 0.01', 13.66],
    ['total', 'R(68.33) + 13.67 − 0.01', 81.99],
  ]);
});

test('a share is within one unit of its part, and the shares of one discount add up to it', () => {
  const line = (unit_price: string, rate: string): LineTerms => ({
    ...{ quantity: '1', unit_price, discounts: [], charges: [] },
    taxes: [{ category: 'VAT', code: 'S', rate, retained: false }],
  });
  const items = [line('1', '21'), line('1', '10'), line('1', '4')];
  const terms = { currency: 'EUR', prices_include_tax: false, rounding: 'line' as const, items, discounts: [{ amount: '1' }], charges: [] };
  const shares = explain(terms, totalsOf({ ...terms, decimals: 2 })).explanation.filter(({ step }) => step === 'share');
  expect(shares.map(({ field, calculation, result }) => [field, calculation, result])).toEqual([
    ['discounts.0', '1 × 1 / 3', 0.34],
    ['discounts.0', '1 × 1 / 3', 0.33],
    ['discounts.0', '1 × 1 / 3', 0.33],
  ]);
});

test(`of each kind of step the first ${MOST_STEPS} are reported, and the others counted`, () => {
  const tax = (n: number): Tax => ({ category: `T${n}`, code: 'S', rate: '1', retained: false });
  const items: LineTerms[] = Array.from({ length: 500 }, (_, n) => ({
    ...{ quantity: '1', unit_price: '1', discounts: [{ percent: '1' }, { percent: '2' }], charges: [] },
    taxes: [tax(2 * n), tax(2 * n + 1)],
  }));
  const terms = {
    currency: 'EUR',
    prices_include_tax: false,
    rounding: 'line' as const,
    items,
    discounts: [{ percent: '1' }, { percent: '2' }],
    charges: [],
  };
  const { explanation, left_out } = explain(terms, totalsOf({ ...terms, decimals: 2 }));
  const counts = Map.groupBy(explanation, ({ step }) => step);
  expect(Math.max(...[...counts.values()].map(({ length }) => length))).toBe(MOST_STEPS);
  // 1,000 discounts of lines, 1,000 shares and 1,000 rows with a tax and no base of another amount.
  expect([left_out, counts.get('total')?.length]).toEqual([500 + 500 + 500, 1]);
});
