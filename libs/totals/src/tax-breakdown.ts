import { decimal, ONE, percentOf, quotient, round, sharing, sum, toText, ZERO, type Decimal } from '@svc/kernel';
import { adjustmentAmount, roundingOf, type Line } from './line.ts';
import { fraction, rowSteps, type OnStep } from './steps.ts';
import type { DocumentAdjustment, Tax, TaxRow, Terms } from './terms.ts';

/** Lines with the same taxes, so that each of these taxes gets the same part of a document discount. */
interface TaxSet {
  taxes: Tax[];
  /** Σ net of its lines. */
  net: Decimal;
  /** After the document's discounts and charges, as a numerator over `per` of `Sets`. */
  worth: Decimal;
}

interface Sets {
  sets: TaxSet[];
  /** The denominator of every `worth`: ONE unless an unrounded amount is shared. */
  per: Decimal;
  discount: Decimal;
  charge: Decimal;
}

/** Taxes that share a row of the breakdown have the same key. */
export const taxKey = ({ category, code, rate, retained, surcharge }: Tax): string =>
  `${category}|${code}|${rate}${retained ? '|retained' : ''}${surcharge === undefined ? '' : `|${surcharge}`}`;
const setKey = (taxes: Tax[]): string => (taxes[0] && taxes.length === 1 ? taxKey(taxes[0]) : taxes.map(taxKey).sort().join('&'));

/** The document's distinct tax sets in order of appearance, with its own discounts and charges applied. */
export function setsOf(terms: Terms, lines: Line[], onStep?: OnStep): Sets {
  const byKey = new Map<string, TaxSet>();
  const setOf = (taxes: Tax[]): TaxSet => {
    const key = setKey(taxes);
    const found = byKey.get(key) ?? { taxes, net: ZERO, worth: ZERO };
    byKey.set(key, found);
    return found;
  };
  lines.forEach(({ net }, n) => {
    const set = setOf(terms.items[n]?.taxes ?? []);
    set.net = set.net.plus(net);
  });
  const ofLines = [...byKey.values()];
  for (const set of ofLines) set.worth = set.net;
  const { discounts, charges, rounding } = terms;
  if (discounts.length + charges.length === 0) return { sets: ofLines, per: ONE, discount: ZERO, charge: ZERO };

  const whole = sum(ofLines.map(({ net }) => net));
  const rounded = roundingOf(terms);
  const sharesOf = sharing(
    ofLines.map(({ net }) => net),
    terms.decimals,
  );
  let unshared = ZERO; // in `precise`: the net of all sets together, to share in proportion
  const apply = (adjustment: DocumentAdjustment, sign: 1 | -1, at: number): Decimal => {
    const amount = adjustmentAmount(adjustment, whole, rounded);
    const [step, field] = sign === 1 ? (['charge', `charges.${at}`] as const) : (['discount', `discounts.${at}`] as const);
    if (adjustment.percent !== undefined)
      onStep?.({ step, field, calculation: () => `${adjustment.percent} % of ${whole}`, result: amount });
    const applied = (worth: Decimal, part: Decimal): Decimal => (sign === 1 ? worth.plus(part) : worth.minus(part));
    if (adjustment.taxes) {
      const set = setOf(adjustment.taxes);
      set.worth = applied(set.worth, amount);
    } else if (rounding === 'precise') unshared = applied(unshared, amount);
    else
      sharesOf(amount).forEach((part, n) => {
        const set = ofLines[n];
        if (!set) return;
        onStep?.({ step: 'share', field, calculation: () => `${amount} × ${set.net} / ${whole}`, result: part });
        set.worth = applied(set.worth, part);
      });
    return amount;
  };
  const discount = sum(discounts.map((one, at) => apply(one, -1, at)));
  const charge = sum(charges.map((one, at) => apply(one, 1, at)));
  const sets = [...byKey.values()];
  return { sets, per: bearTogether(sets, unshared, whole), discount, charge };
}

/** Adds `amount` × net / `whole` to every set, unrounded: all are brought to the denominator `whole`, which is returned. */
function bearTogether(sets: TaxSet[], amount: Decimal, whole: Decimal): Decimal {
  if (amount.eq(ZERO)) return ONE;
  if (whole.eq(ZERO)) {
    const [first] = sets;
    if (first) first.worth = first.worth.plus(amount);
    return ONE;
  }
  for (const set of sets) set.worth = set.worth.times(whole).plus(set.net.times(amount));
  return whole;
}

interface Breakdown {
  rows: TaxRow[];
  /** Tax and surcharges, without what is retained. */
  tax: Decimal;
  /** The part of `tax` that is added to inclusive prices. */
  surcharges: Decimal;
  retained: Decimal;
}

const HUNDRED = decimal('100');

/** True for a tax that inclusive prices include: every one that the payer does not retain, whatever its category. */
export const isIncluded = ({ retained }: Tax): boolean => !retained;

/** A group's base and tax out of gross amounts over `per`: tax = R(gross × rate / (100 + rate)), base = R(gross) − tax. */
function split(gross: Decimal, per: Decimal, rate: string, decimals: number): { base: Decimal; tax: Decimal } {
  const tax = quotient(gross.times(rate), per.times(HUNDRED.plus(rate)), decimals);
  return { base: quotient(gross, per, decimals).minus(tax), tax };
}

/** The rows of `tax_breakdown` and their sums: tax is rounded once per row. */
export function breakdownOf({ sets, per }: Sets, { prices_include_tax, decimals }: Terms, onStep?: OnStep): Breakdown {
  const inside = (tax: Tax): boolean => prices_include_tax && isIncluded(tax);
  const grosses = sets.map(({ worth }) => worth);
  const sharesBases = prices_include_tax && sets.some(({ taxes }) => !taxes.every(isIncluded));
  // With inclusive prices a retained tax is of the amounts without tax.
  const [bases, under] = sharesBases
    ? [
        withoutTax(
          grosses,
          sets.map(({ taxes }) => taxes),
          per,
          decimals,
        ),
        ONE,
      ]
    : [grosses, per];
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
    const included = inside(tax);
    const { row, amount, surcharge } = included
      ? rowOf(tax, { ...split(worth, per, tax.rate, decimals), under: ONE }, decimals)
      : rowOf(tax, { base: worth, tax: quotient(percentOf(worth, decimal(tax.rate)), under, decimals), under }, decimals);
    result.rows.push(row);
    if (onStep) rowSteps(onStep, { row, n: result.rows.length - 1, worth: fraction(worth, included ? per : under), included });
    if (tax.retained) result.retained = result.retained.plus(amount);
    else {
      result.tax = result.tax.plus(amount).plus(surcharge);
      result.surcharges = result.surcharges.plus(surcharge);
    }
  }
  return result;
}

/** `base` is over `under`, unrounded in `precise`: the surcharge is calculated from it, and the shown base is rounded. */
function rowOf(
  { category, code, rate, retained, surcharge }: Tax,
  { base, tax, under }: Record<'base' | 'tax' | 'under', Decimal>,
  decimals: number,
) {
  const row: TaxRow = { category, code, rate, retained, base: toText(quotient(base, under, decimals)), amount: toText(tax) };
  if (surcharge === undefined) return { row, amount: tax, surcharge: ZERO };
  const extra = quotient(percentOf(base, decimal(surcharge)), under, decimals);
  return { row: { ...row, surcharge: { rate: surcharge, amount: toText(extra) } }, amount: tax, surcharge: extra };
}

/** A gross amount without its included tax, rounded by itself. */
export function withoutOwnTax(gross: Decimal, taxes: Tax[], decimals: number): Decimal {
  const rate = taxes.find(isIncluded)?.rate;
  return rate === undefined ? round(gross, decimals) : split(gross, ONE, rate, decimals).base;
}

/**
 * Gross amounts over `per` without their taxes, at the currency's decimals: those that bear one included tax add up to its base. An amount
 * without tax is only rounded.
 */
export function withoutTax(grosses: Decimal[], taxes: Tax[][], per: Decimal, decimals: number): Decimal[] {
  const parts = grosses.map((gross) => quotient(gross, per, decimals));
  const included = taxes.map((list) => list.find(isIncluded));
  for (const members of Map.groupBy(grosses.keys(), (n) => included[n] && taxKey(included[n])).values()) {
    const rate = included[members[0] ?? 0]?.rate;
    if (rate === undefined) continue;
    const bearing = members.map((n) => grosses[n] ?? ZERO);
    const nets = addingUp(split(sum(bearing), per, rate, decimals).base, bearing, per.times(HUNDRED.plus(rate)), decimals);
    members.forEach((n, at) => (parts[n] = nets[at] ?? ZERO));
  }
  return parts;
}

/**
 * The nets gross × 100 / `under`, which add up to `base` (largest remainder): each is rounded down, then the largest remainders get one unit,
 * ties in their order. Each by itself, not in proportion to their sum, which may be next to nothing where goods come back.
 */
function addingUp(base: Decimal, grosses: Decimal[], under: Decimal, decimals: number): Decimal[] {
  if (grosses.length === 1) return [base];
  const sign = under.lte(ZERO) ? '-1' : '1';
  const unit = decimal(`1e-${decimals}`);
  const step = under.times(unit).times(sign);
  const rests: Decimal[] = []; // × the magnitude of `under`
  const nets = grosses.map((gross) => {
    const exact = gross.times(HUNDRED);
    const near = quotient(exact, under, decimals);
    const rest = exact.minus(near.times(under)).times(sign);
    const isAbove = rest.cmp(ZERO) < 0;
    rests.push(isAbove ? rest.plus(step) : rest);
    return isAbove ? near.minus(unit) : near;
  });
  let left = base.minus(sum(nets));
  for (const n of [...rests.keys()].sort((a, b) => (rests[b] ?? ZERO).cmp(rests[a] ?? ZERO))) {
    if (left.lte(ZERO)) break;
    nets[n] = (nets[n] ?? ZERO).plus(unit);
    left = left.minus(unit);
  }
  return nets;
}
