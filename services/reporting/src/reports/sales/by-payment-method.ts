import { currencyDecimals, decimal, sharing, sum } from '@svc/kernel';
import type { CountedPosting } from '../counted-posting.ts';
import type { Part } from '../part.ts';
import { partOf, type Share } from './by-product.ts';

/**
 * The shares of a receipt by payment method: each has what was paid by it. Tax and discounts of one that was paid in several ways are shared in
 * proportion, by largest remainder, so that the shares sum to the receipt. An invoice is under the method by which it is to be paid, null where it names none.
 */
export function byPaymentMethod(posting: CountedPosting): Part[] {
  const { figures, currency } = posting;
  const all = { subtotal: decimal(figures.subtotal), tax: decimal(figures.tax_total), discount: decimal(figures.discount_total) };
  const methods = Map.groupBy(figures.till?.payments ?? [], ({ method }) => method);
  if (methods.size < 2) return [partOf(posting, { key: methods.keys().next().value ?? figures.payment_method ?? null, ...all })];
  const paid = [...methods.values()].map((payments) => sum(payments.map(({ amount }) => decimal(amount))));
  const share = sharing(paid, currencyDecimals(currency) ?? 2);
  const [taxes, discounts] = [share(all.tax), share(all.discount)];
  return [...methods.keys()].map((key, n): Part => {
    const [total, tax, discount] = [paid[n], taxes[n], discounts[n]] as [Share['tax'], Share['tax'], Share['tax']];
    return partOf(posting, { key, subtotal: total.minus(tax), tax, discount });
  });
}
