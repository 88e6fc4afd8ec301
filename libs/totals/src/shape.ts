import { jsonNumber } from '@svc/kernel';
import type { Item } from './line.ts';
import type { Adjustment, DocumentAdjustment, LineAmounts, TaxRow, Totals, Tax } from './terms.ts';

/** What callers wrote, with the amounts of each line, as JSON: money and percents are numbers. */
export const linesShape = (
  {
    items,
    discounts,
    charges,
  }: { items: readonly Item[]; discounts: readonly DocumentAdjustment[]; charges: readonly DocumentAdjustment[] },
  { lines }: Pick<Totals, 'lines'>,
) => ({
  items: items.map((item, n) => itemShape(item, lines[n])),
  discounts: discounts.map(documentAdjustmentShape),
  charges: charges.map(documentAdjustmentShape),
});

/** The sums of a document as JSON. */
export const totalsShape = (totals: Omit<Totals, 'lines'>) => ({
  subtotal: jsonNumber(totals.subtotal),
  discount_total: jsonNumber(totals.discount_total),
  charge_total: jsonNumber(totals.charge_total),
  tax_total: jsonNumber(totals.tax_total),
  retained_total: jsonNumber(totals.retained_total),
  total: jsonNumber(totals.total),
  tax_breakdown: totals.tax_breakdown.map(rowShape),
});

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

const rowShape = ({ category, code, rate, retained, base, amount, surcharge }: TaxRow) => ({
  category,
  code,
  rate: jsonNumber(rate),
  retained,
  base: jsonNumber(base),
  amount: jsonNumber(amount),
  ...(surcharge === undefined ? {} : { surcharge: { rate: jsonNumber(surcharge.rate), amount: jsonNumber(surcharge.amount) } }),
});

export const taxShape = ({ rate, surcharge, ...tax }: Tax) => ({
  ...tax,
  rate: jsonNumber(rate),
  ...(surcharge === undefined ? {} : { surcharge: jsonNumber(surcharge) }),
});
