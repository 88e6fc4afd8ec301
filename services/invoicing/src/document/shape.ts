import { jsonNumber } from '@svc/kernel';
import type { Item } from '../totals/given.ts';
import type { Adjustment, DocumentAdjustment, LineAmounts, Tax, TaxRow, Totals } from '../totals/terms.ts';
import type { FiscalError } from './domain/fiscal.ts';
import type { DocumentContent, VoidRequest } from './domain/state.ts';

/** Parts of the public shape that invoices and receipts share. Money and percents are JSON numbers. */

/** What callers wrote of any document, up to its series. */
export const contentShape = (content: DocumentContent, totals: Totals) => ({
  items: itemShapes(content.items, totals),
  discounts: content.discounts.map(documentAdjustmentShape),
  charges: content.charges.map(documentAdjustmentShape),
  currency: content.currency,
  prices_include_tax: content.prices_include_tax,
  rounding: content.rounding,
  series: content.series,
});

const itemShapes = (items: Item[], { lines }: Totals) => items.map((item, n) => itemShape(item, lines[n]));

function itemShape(
  { product_id, description, quantity, unit, unit_price, discounts, charges, taxes }: Item,
  line: LineAmounts | undefined,
) {
  return {
    product_id,
    description,
    quantity: jsonNumber(quantity),
    unit,
    unit_price: jsonNumber(unit_price),
    discounts: discounts.map(adjustmentShape),
    charges: charges.map(adjustmentShape),
    discount_amount: jsonNumber(line?.discount_amount ?? '0'),
    charge_amount: jsonNumber(line?.charge_amount ?? '0'),
    taxes: taxes.map(taxShape),
    amount: jsonNumber(line?.amount ?? '0'),
  };
}

const adjustmentShape = ({ percent, amount, reason }: Adjustment) => ({
  ...(percent === undefined ? {} : { percent: jsonNumber(percent) }),
  ...(amount === undefined ? {} : { amount: jsonNumber(amount) }),
  ...(reason === undefined ? {} : { reason }),
});

const documentAdjustmentShape = ({ taxes, ...adjustment }: DocumentAdjustment) => ({
  ...adjustmentShape(adjustment),
  ...(taxes === undefined ? {} : { taxes: taxes.map(taxShape) }),
});

const taxShape = ({ rate, surcharge, ...tax }: Tax) => ({
  ...tax,
  rate: jsonNumber(rate),
  ...(surcharge === undefined ? {} : { surcharge: jsonNumber(surcharge) }),
});

export const totalsShape = ({ lines: _, tax_breakdown, ...sums }: Totals) => ({
  subtotal: jsonNumber(sums.subtotal),
  discount_total: jsonNumber(sums.discount_total),
  charge_total: jsonNumber(sums.charge_total),
  tax_total: jsonNumber(sums.tax_total),
  retained_total: jsonNumber(sums.retained_total),
  total: jsonNumber(sums.total),
  tax_breakdown: tax_breakdown.map(rowShape),
});

const rowShape = ({ category, code, rate, retained, base, amount, surcharge }: TaxRow) => ({
  category,
  code,
  rate: jsonNumber(rate),
  retained,
  base: jsonNumber(base),
  amount: jsonNumber(amount),
  ...(surcharge === undefined ? {} : { surcharge: { rate: jsonNumber(surcharge.rate), amount: jsonNumber(surcharge.amount) } }),
});

/** `document_id` is of a country whose authority knows no annulment. */
export const voidShape = ({ reason, requested_at, voided_at, refused }: VoidRequest) => ({
  reason,
  requested_at,
  voided_at,
  document_id: null,
  error: refused && voidError(refused),
});

const voidError = ({ code, message }: Pick<FiscalError, 'code' | 'message'>) => ({ code, message });
