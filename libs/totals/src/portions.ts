import { currencyDecimals, decimal, type Decimal, ONE, quotient, sum, toText, ZERO } from '@svc/kernel';
import { isIncluded, setsOf, taxKey } from './tax-breakdown.ts';
import type { Tax, TaxRow, Terms, Totals } from './terms.ts';
import { linesOf } from './totals.ts';

/** Of one row of a breakdown. Decimal text. */
export interface RowAmounts {
  base: string;
  amount: string;
  surcharge?: string;
}

/** What a document comes to, as a part of another: by row of its breakdown, and under `UNTAXED` what bears no tax that is paid with it. */
export interface Portion {
  /** What bears the tax, without it and before any rounding: decimal text, to 18 decimals. */
  exact: Readonly<Record<string, string>>;
  rows: Readonly<Record<string, RowAmounts>>;
}

type Content = Omit<Terms, 'decimals'> & { currency: string };

const termsOf = (content: Content): Terms => ({ ...content, decimals: currencyDecimals(content.currency) ?? 0 });

/** Lines without a tax, or only with one that is retained. */
const UNTAXED = '';

/**
 * Of `exact`. A share of a fixed discount may have no end, and a sum of three hundred exact fractions has a denominator of thousands of digits: minutes of
 * one process. Their roundings come to less than 1e-12.
 */
const EXACT_DECIMALS = 18;
const HUNDRED = decimal('100');

export function portionOf(content: Content, totals: Totals): Portion {
  const untaxed = untaxedOf(content);
  return {
    exact: exactOf(content),
    rows: { ...rowsOf(totals), ...(untaxed && { [UNTAXED]: { base: toText(untaxed), amount: '0' } }) },
  };
}

const isUntaxed = ({ taxes }: { taxes: readonly Tax[] }): boolean => !taxes.some(isIncluded);

/** By the document's own rounding. undefined: everything bears a tax. */
function untaxedOf(content: Content): Decimal | undefined {
  const terms = termsOf(content);
  const { sets, per } = setsOf(terms, linesOf(terms));
  const untaxed = sets.filter(isUntaxed);
  return untaxed.length > 0 ? quotient(sum(untaxed.map(({ worth }) => worth)), per, terms.decimals) : undefined;
}

/** As if nothing was rounded. Without tax, so that documents whose prices include it can be compared with others. */
function exactOf(content: Content): Record<string, string> {
  const terms: Terms = { ...termsOf(content), rounding: 'precise' };
  const { sets, per } = setsOf(terms, linesOf(terms));
  const exact = new Map<string, Decimal>();
  const add = (key: string, worth: Decimal): void => void exact.set(key, (exact.get(key) ?? ZERO).plus(worth));
  for (const { taxes, worth } of sets) {
    const included = content.prices_include_tax ? taxes.find(isIncluded) : undefined;
    const under = included ? per.times(HUNDRED.plus(included.rate)) : per;
    const one = under === ONE ? worth : quotient(included ? worth.times(HUNDRED) : worth, under, EXACT_DECIMALS);
    if (isUntaxed({ taxes })) add(UNTAXED, one);
    for (const tax of taxes) add(taxKey(tax), one);
  }
  return Object.fromEntries([...exact].map(([key, value]) => [key, toText(value)]));
}

const keyOf = ({ category, code, rate, retained, surcharge }: TaxRow): string =>
  taxKey({ category, code, rate, retained, ...(surcharge && { surcharge: surcharge.rate }) });

export const rowsOf = ({ tax_breakdown }: Pick<Totals, 'tax_breakdown'>): Record<string, RowAmounts> =>
  Object.fromEntries(
    tax_breakdown.map((row) => {
      const { base, amount, surcharge } = row;
      return [keyOf(row), { base, amount, ...(surcharge && { surcharge: surcharge.amount }) }];
    }),
  );

/**
 * The totals with other amounts in these rows, and with this total where one is given: else it changes by as much as the rows. What a base changes by is
 * in the charges or discounts of the document, where it has any, else in the lines that bear the tax.
 */
export function withRows(content: Content, own: Totals, rows: Readonly<Record<string, RowAmounts>>, total?: string): Totals {
  const { decimals } = termsOf(content);
  const tax_breakdown = own.tax_breakdown.map((row) => {
    const { base, amount, surcharge } = rows[keyOf(row)] ?? row;
    const extra = typeof surcharge === 'string' ? surcharge : surcharge?.amount;
    return { ...row, base, amount, ...(row.surcharge && extra !== undefined && { surcharge: { ...row.surcharge, amount: extra } }) };
  });
  const main = mainRows(content);
  const moved = new Map<string, Decimal>();
  const move = (key: string, by: Decimal): void => void (by.eq(ZERO) || moved.set(key, by));
  own.tax_breakdown.forEach((row, n) => {
    if (main.includes(keyOf(row))) move(keyOf(row), decimal(tax_breakdown[n]?.base ?? row.base).minus(row.base));
  });
  const untaxed = rows[UNTAXED];
  if (untaxed) move(UNTAXED, decimal(untaxed.base).minus(untaxedOf(content) ?? ZERO));
  const ofRows = sum([...moved.values()]);
  const taxes = taxesOf(tax_breakdown);
  const whole = decimal(total ?? decimal(own.total).plus(ofRows).plus(taxes.tax).minus(own.tax_total));
  const subtotal = whole.minus(taxes.tax);
  return {
    ...own,
    ...movedInto(content, own, { moved, main, by: subtotal.minus(own.subtotal), decimals }),
    subtotal: toText(subtotal),
    tax_total: toText(taxes.tax),
    retained_total: toText(taxes.retained),
    total: toText(whole),
    tax_breakdown,
  };
}

/** Of each line the row whose base its amount is counted in. */
const mainRows = ({ items }: Content): string[] =>
  items.map(({ taxes }) => {
    const tax = taxes.find(isIncluded);
    return tax ? taxKey(tax) : UNTAXED;
  });

function taxesOf(rows: readonly TaxRow[]): { tax: Decimal; retained: Decimal } {
  let [tax, retained] = [ZERO, ZERO];
  for (const row of rows)
    if (row.retained) retained = retained.plus(row.amount);
    else tax = tax.plus(row.amount).plus(row.surcharge?.amount ?? '0');
  return { tax, retained };
}

interface Moved {
  /** What the lines under this row change by together. */
  moved: ReadonlyMap<string, Decimal>;
  /** Of each line its row. */
  main: readonly string[];
  /** All of it. */
  by: Decimal;
  decimals: number;
}

function movedInto(
  { discounts, charges, prices_include_tax: inclusive }: Content,
  own: Totals,
  { moved, main, by, decimals }: Moved,
): Partial<Totals> {
  if (charges.length > 0) return inclusive ? {} : { charge_total: toText(decimal(own.charge_total).plus(by)) };
  if (discounts.length > 0) return inclusive ? {} : { discount_total: toText(decimal(own.discount_total).minus(by)) };
  const lines = [...own.lines];
  for (const [key, amount] of moved) {
    const bearing = main.flatMap((one, n) => (one === key ? [n] : []));
    for (const [n, part] of spread(amount, bearing, decimals))
      lines[n] = { ...(lines[n] as (typeof lines)[number]), amount: toText(decimal(lines[n]?.amount ?? '0').plus(part)) };
  }
  return { lines };
}

/** Divides some units over lines: as equally as units allow, the first get more. */
function* spread(amount: Decimal, lines: readonly number[], decimals: number): Generator<[number, Decimal]> {
  const units = BigInt(toText(amount.times(`1e${decimals}`)));
  const [each, more] = [units / BigInt(lines.length), Number(units % BigInt(lines.length))];
  const unit = (count: bigint): Decimal => decimal(String(count)).times(`1e-${decimals}`);
  for (const [at, n] of lines.entries()) {
    const count = each + (at < Math.abs(more) ? BigInt(Math.sign(more)) : 0n);
    if (count !== 0n) yield [n, unit(count)];
  }
}
