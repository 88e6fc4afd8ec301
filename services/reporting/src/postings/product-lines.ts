import type { Item } from '@svc/contracts/document/line';
import { currencyDecimals, decimal, type Decimal, numberText, percentOf, round, toText, ZERO } from '@svc/kernel';
import type { ProductLines } from './posting.ts';

/**
 * Sums the lines by product; lines without a product are skipped. A document has its tax per tax group, not per line: a product's tax is Σ
 * net × rate over its lines, rounded once.
 */
export function productLines({ items, currency }: { items: readonly Item[]; currency: string }): ProductLines[] {
  const byProduct = new Map<string, { quantity: Decimal; net: Decimal; tax: Decimal }>();
  for (const { product_id, quantity, amount, taxes } of items) {
    if (product_id === null) continue;
    const before = byProduct.get(product_id) ?? { quantity: ZERO, net: ZERO, tax: ZERO };
    const net = decimal(numberText(amount));
    byProduct.set(product_id, {
      quantity: before.quantity.plus(numberText(quantity)),
      net: before.net.plus(net),
      tax: before.tax.plus(taxOn(net, taxes)),
    });
  }
  const places = currencyDecimals(currency) ?? 2;
  return [...byProduct].map(([product_id, { quantity, net, tax }]) => ({
    product_id,
    quantity: toText(quantity),
    subtotal: toText(net),
    tax: toText(round(tax, places)),
  }));
}

/** The exact tax on a net amount; retained tax does not count. */
function taxOn(net: Decimal, taxes: Item['taxes']): Decimal {
  let tax = ZERO;
  for (const { rate, surcharge, retained } of taxes)
    if (!retained) tax = tax.plus(percentOf(net, decimal(numberText(rate)).plus(numberText(surcharge ?? 0))));
  return tax;
}
