import { sum, ZERO, type Decimal } from '@svc/kernel';
import { adjustmentAmount, roundingOf, type Line } from './line.ts';
import { ONE, shareOut } from './share.ts';
import type { DocumentAdjustment, Tax, Terms } from './terms.ts';

/** Lines that bear the same taxes. Every tax of a line so sees the same part of a document discount. */
export interface TaxSet {
  taxes: Tax[];
  /** Σ net of its lines. */
  net: Decimal;
  /** After the document's discounts and charges, as a numerator over `per` of `Sets`. */
  worth: Decimal;
}

export interface Sets {
  sets: TaxSet[];
  /** The denominator of every `worth`: ONE unless an unrounded amount is shared. */
  per: Decimal;
  discount: Decimal;
  charge: Decimal;
}

/** Taxes that share a row of the breakdown have the same key. */
export const taxKey = ({ category, code, rate, retained, surcharge }: Tax): string =>
  `${category}|${code}|${rate}|${retained}|${surcharge ?? ''}`;
const setKey = (taxes: Tax[]): string => (taxes[0] && taxes.length === 1 ? taxKey(taxes[0]) : taxes.map(taxKey).sort().join('&'));

/** The document's distinct tax sets in order of appearance, with its own discounts and charges given to them. */
export function setsOf(terms: Terms, lines: Line[]): Sets {
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
  let unshared = ZERO; // in `precise`: what all sets bear together, in proportion to their net
  const apply = (adjustment: DocumentAdjustment, sign: 1 | -1): Decimal => {
    const amount = adjustmentAmount(adjustment, whole, rounded);
    const signed = sign === 1 ? amount : ZERO.minus(amount);
    if (adjustment.taxes) add(setOf(adjustment.taxes), signed);
    else if (rounding === 'precise') unshared = unshared.plus(signed);
    else
      shareOut(
        amount,
        ofLines.map(({ net }) => net),
        terms.decimals,
      ).forEach((part, n) => add(ofLines[n], sign === 1 ? part : ZERO.minus(part)));
    return amount;
  };
  const discount = sum(discounts.map((one) => apply(one, -1)));
  const charge = sum(charges.map((one) => apply(one, 1)));
  const sets = [...byKey.values()];
  return { sets, per: bearTogether(sets, unshared, whole), discount, charge };
}

const add = (set: TaxSet | undefined, amount: Decimal): void => {
  if (set) set.worth = set.worth.plus(amount);
};

/** Every set gets `amount` × net / `whole`, unrounded: all are brought over the denominator `whole`, which is answered. */
function bearTogether(sets: TaxSet[], amount: Decimal, whole: Decimal): Decimal {
  if (amount.eq(ZERO)) return ONE;
  if (whole.eq(ZERO)) {
    add(sets[0], amount);
    return ONE;
  }
  for (const set of sets) set.worth = set.worth.times(whole).plus(set.net.times(amount));
  return whole;
}
