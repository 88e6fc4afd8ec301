import { decimal, type Decimal, ZERO } from '@svc/kernel';
import { citing, signed } from '../counting.ts';
import type { CountedPosting } from '../counted-posting.ts';
import type { Part } from '../part.ts';

/** The amounts of a document that one of its rows has. */
export interface Share {
  key: string | null;
  subtotal: Decimal;
  tax: Decimal;
  discount: Decimal;
}

/**
 * The shares of a document by product, and under the key null the rest: lines without a product, document discounts and charges, rounding
 * differences. The shares always sum to the document.
 */
export function byProduct(posting: CountedPosting): Part[] {
  const { figures } = posting;
  const shares: Share[] = [];
  let subtotal = decimal(figures.subtotal);
  let tax = decimal(figures.tax_total);
  for (const product of figures.products) {
    const share = { subtotal: decimal(product.subtotal), tax: decimal(product.tax) };
    shares.push({ key: product.product_id, ...share, discount: ZERO });
    subtotal = subtotal.minus(share.subtotal);
    tax = tax.minus(share.tax);
  }
  const discount = decimal(figures.discount_total);
  const isNothing = subtotal.eq(ZERO) && tax.eq(ZERO) && discount.eq(ZERO);
  if (shares.length === 0 || !isNothing) shares.push({ key: null, subtotal, tax, discount });
  return shares.map((share) => partOf(posting, share));
}

export function partOf(posting: CountedPosting, { key, ...share }: Share): Part {
  const { figures, currency } = posting;
  const subtotal = signed(figures, share.subtotal);
  const tax_total = signed(figures, share.tax);
  const total = subtotal.plus(tax_total);
  return {
    key: { key },
    currency,
    amounts: { subtotal, discount_total: signed(figures, share.discount), tax_total, total },
    cites: citing(posting, total),
  };
}
