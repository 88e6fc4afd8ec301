import { decimal, type Decimal, ZERO } from '@svc/kernel';
import type { Fact } from '../../facts/fact.ts';
import type { Part } from '../report.ts';

/**
 * The parts of a document by product, and under the key null the rest: lines without a product, document discounts and charges, rounding
 * differences. The parts always sum to the document.
 */
export function byProduct(fact: Fact): Part[] {
  const parts: Part[] = [];
  let subtotal = decimal(fact.subtotal);
  let tax = decimal(fact.tax_total);
  for (const product of fact.products) {
    const part = { subtotal: decimal(product.subtotal), tax: decimal(product.tax) };
    parts.push(partOf(product.product_id, part.subtotal, part.tax, ZERO));
    subtotal = subtotal.minus(part.subtotal);
    tax = tax.minus(part.tax);
  }
  const discount = decimal(fact.discount_total);
  const isNothing = subtotal.eq(ZERO) && tax.eq(ZERO) && discount.eq(ZERO);
  if (parts.length === 0 || !isNothing) parts.push(partOf(null, subtotal, tax, discount));
  return parts;
}

function partOf(key: string | null, subtotal: Decimal, tax_total: Decimal, discount_total: Decimal): Part {
  const total = subtotal.plus(tax_total);
  return { key: { key }, amounts: { subtotal, discount_total, tax_total, total }, referenceAmount: total };
}
