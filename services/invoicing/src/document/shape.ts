import { jsonNumber } from '@svc/kernel';
import type { Item } from '../totals/line.ts';
import { taxShape } from '../totals/tax-shape.ts';
import type { Adjustment, DocumentAdjustment, LineAmounts, TaxRow } from '../totals/terms.ts';
import type { Fiscal } from './domain/fiscal.ts';
import type { DocumentContent, NumberedDocument, VoidRequest, Written } from './domain/state.ts';

/** What callers wrote and what was calculated of it, of any document. Money and percents are JSON numbers. */
export const writtenShape = ({ livemode, created_at, updated_at, content, totals }: Written<DocumentContent> & { updated_at: string }) => ({
  livemode,
  items: content.items.map((item, n) => itemShape(item, totals.lines[n])),
  discounts: content.discounts.map(documentAdjustmentShape),
  charges: content.charges.map(documentAdjustmentShape),
  currency: content.currency,
  prices_include_tax: content.prices_include_tax,
  rounding: content.rounding,
  series: content.series,
  notes: content.notes,
  subtotal: jsonNumber(totals.subtotal),
  discount_total: jsonNumber(totals.discount_total),
  charge_total: jsonNumber(totals.charge_total),
  tax_total: jsonNumber(totals.tax_total),
  retained_total: jsonNumber(totals.retained_total),
  total: jsonNumber(totals.total),
  tax_breakdown: totals.tax_breakdown.map(rowShape),
  metadata: content.metadata,
  created_at,
  updated_at,
});

/** What any document has with its number. */
export const numberedShape = <Customer>({
  parties,
  issue,
  fiscal,
}: Pick<NumberedDocument<unknown, Customer>, 'parties' | 'issue' | 'fiscal'>) => ({
  ...parties,
  number: issue.number,
  issued_at: issue.issued_at,
  fiscal_code: fiscal.code,
  fiscal,
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

/** `document_id`: the corrective, where the authority annuls nothing; there is none before the document is registered. */
export const voidShape = ({ reason, requested_at, voided_at, refused, document }: VoidRequest, fiscal: Fiscal | null) => ({
  reason,
  requested_at,
  voided_at,
  document_id: fiscal?.status === 'registered' ? (document ?? null) : null,
  error: refused && { code: refused.code, message: refused.message },
});
