import { decimal, percentOf, sum, ZERO, type Decimal } from '@svc/kernel';
import { ONE, plain, quotient, shareOut } from './share.ts';
import { taxKey, type Sets } from './sets.ts';
import type { Tax, TaxRow, Terms } from './terms.ts';

export interface Breakdown {
  rows: TaxRow[];
  /** Tax and surcharges of what is not retained. */
  tax: Decimal;
  /** The part of `tax` that comes on top of inclusive prices. */
  surcharges: Decimal;
  retained: Decimal;
}

export const taxesOf = (bearers: { taxes: Tax[] }[]): Tax[][] => bearers.map(({ taxes }) => taxes);
const HUNDRED = decimal('100');

/** True for a tax that inclusive prices hold: every one that the payer does not hold back, whatever its category. */
export const isIncluded = ({ retained }: Tax): boolean => !retained;

/** A group's base and tax out of gross amounts over `per`: tax = R(gross × rate / (100 + rate)), base = R(gross) − tax. */
function split(gross: Decimal, per: Decimal, rate: string, decimals: number): { base: Decimal; tax: Decimal } {
  const tax = quotient(gross.times(rate), per.times(HUNDRED.plus(rate)), decimals);
  return { base: quotient(gross, per, decimals).minus(tax), tax };
}

/** The rows of `tax_breakdown` and their sums: tax is rounded once per row. */
export function breakdownOf({ sets, per }: Sets, { prices_include_tax, decimals }: Terms): Breakdown {
  const inside = (tax: Tax): boolean => prices_include_tax && isIncluded(tax);
  const grosses = sets.map(({ worth }) => worth);
  const sharesBases = prices_include_tax && sets.some(({ taxes }) => !taxes.every(isIncluded));
  // With inclusive prices a retained tax is of the amounts without tax.
  const [bases, under] = sharesBases ? [withoutTax(grosses, taxesOf(sets), per, decimals), ONE] : [grosses, per];
  const groups = new Map<string, { tax: Tax; worth: Decimal }>();
  sets.forEach(({ taxes, worth }, n) => {
    for (const tax of taxes) {
      const key = taxKey(tax);
      const group = groups.get(key) ?? { tax, worth: ZERO };
      group.worth = group.worth.plus(inside(tax) ? worth : (bases[n] ?? ZERO));
      groups.set(key, group);
    }
  });
  const result: Breakdown = { rows: [], tax: ZERO, surcharges: ZERO, retained: ZERO };
  for (const { tax, worth } of groups.values()) {
    const { row, amount, surcharge } = inside(tax)
      ? rowOf(tax, { ...split(worth, per, tax.rate, decimals), under: ONE }, decimals)
      : rowOf(tax, { base: worth, tax: quotient(percentOf(worth, decimal(tax.rate)), under, decimals), under }, decimals);
    result.rows.push(row);
    if (tax.retained) result.retained = result.retained.plus(amount);
    else {
      result.tax = result.tax.plus(amount).plus(surcharge);
      result.surcharges = result.surcharges.plus(surcharge);
    }
  }
  return result;
}

/** `base` is over `under`, unrounded in `precise`: the surcharge is of that, what is shown of it is rounded. */
function rowOf(
  { category, code, rate, retained, surcharge }: Tax,
  { base, tax, under }: Record<'base' | 'tax' | 'under', Decimal>,
  decimals: number,
) {
  const row: TaxRow = { category, code, rate, retained, base: plain(quotient(base, under, decimals)), amount: plain(tax) };
  if (surcharge === undefined) return { row, amount: tax, surcharge: ZERO };
  const extra = quotient(percentOf(base, decimal(surcharge)), under, decimals);
  return { row: { ...row, surcharge: { rate: surcharge, amount: plain(extra) } }, amount: tax, surcharge: extra };
}

/**
 * Gross amounts over `per` without the tax that each holds, at the currency's decimals: the base of every included tax is shared over
 * the amounts that bear it, by largest remainder, so that they add up to it. An amount that holds no tax is only rounded.
 */
export function withoutTax(grosses: Decimal[], taxes: Tax[][], per: Decimal, decimals: number): Decimal[] {
  const parts = grosses.map((gross) => quotient(gross, per, decimals));
  const included = taxes.map((list) => list.find(isIncluded));
  for (const members of Map.groupBy(grosses.keys(), (n) => included[n] && taxKey(included[n])).values()) {
    const rate = included[members[0] ?? 0]?.rate;
    if (rate === undefined) continue;
    const bearing = members.map((n) => grosses[n] ?? ZERO);
    const shares = shareOut(split(sum(bearing), per, rate, decimals).base, bearing, decimals);
    members.forEach((n, at) => (parts[n] = shares[at] ?? ZERO));
  }
  return parts;
}
