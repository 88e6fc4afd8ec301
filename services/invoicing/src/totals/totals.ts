import { ONE, plain, quotient, round, sum, ZERO, type Decimal } from '@svc/kernel';
import { lineOf, roundingOf, type Line } from './line.ts';
import { breakdownOf, setsOf, withoutTax } from './tax-breakdown.ts';
import type { Terms, Totals } from './terms.ts';

/**
 * A document's amounts, exactly: lines, then the tax sets with the document's discounts and charges, then one rounding per row of the
 * breakdown. Exclusive: total = R(Σ bases) + tax. Inclusive: total = R(Σ gross) + surcharges. R rounds half away from zero at the
 * currency's decimals. subtotal + tax_total = total always.
 */
export function totalsOf(terms: Terms): Totals {
  const { decimals } = terms;
  const rounded = roundingOf(terms);
  const lines = terms.items.map((item) => lineOf(item, rounded));
  const sets = setsOf(terms, lines);
  const { rows, tax, surcharges, retained } = breakdownOf(sets, terms);
  const worth = quotient(sum(sets.sets.map((set) => set.worth)), sets.per, decimals);
  const total = worth.plus(terms.prices_include_tax ? surcharges : tax);
  const text = (value: Decimal): string => plain(round(value, decimals));
  const amounts = terms.prices_include_tax ? exclusiveAmounts(lines, terms) : lines.map(({ net }) => net);
  return {
    lines: lines.map(({ discount, charge }, n) => ({
      amount: text(amounts[n] ?? ZERO),
      discount_amount: text(discount),
      charge_amount: text(charge),
    })),
    subtotal: plain(total.minus(tax)),
    discount_total: text(sets.discount),
    charge_total: text(sets.charge),
    tax_total: plain(tax),
    retained_total: plain(retained),
    total: plain(total),
    tax_breakdown: rows,
  };
}

/** `line`: the amounts add up to the base of the lines, per tax. `precise`: each is rounded by itself. */
function exclusiveAmounts(lines: Line[], { items, rounding, decimals }: Terms): Decimal[] {
  const nets = lines.map(({ net }) => net);
  const taxes = items.map((item) => item.taxes);
  if (rounding === 'line') return withoutTax(nets, taxes, ONE, decimals);
  return nets.flatMap((net, n) => withoutTax([net], taxes.slice(n, n + 1), ONE, decimals));
}
