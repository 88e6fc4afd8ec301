import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import { jsonNumber, minus } from '@svc/kernel';
import { exactText } from '@svc/totals/line';

/** The document with the other sign of every amount that `amountsOf` reads, as the corrective of a void has it: of the corrective, the original again. */
export const negatedResource = (invoice: InvoiceResource): InvoiceResource => ({
  ...invoice,
  items: invoice.items.map((item) => ({
    ...item,
    quantity: opposite(item.quantity),
    discounts: item.discounts.map(negatedAdjustment),
    charges: item.charges.map(negatedAdjustment),
    amount: opposite(item.amount),
    discount_amount: opposite(item.discount_amount),
    charge_amount: opposite(item.charge_amount),
  })),
  discounts: invoice.discounts.map(negatedAdjustment),
  charges: invoice.charges.map(negatedAdjustment),
  subtotal: opposite(invoice.subtotal),
  discount_total: opposite(invoice.discount_total),
  charge_total: opposite(invoice.charge_total),
  tax_total: opposite(invoice.tax_total),
  total: opposite(invoice.total),
  tax_breakdown: invoice.tax_breakdown.map(({ surcharge, ...row }) => ({
    ...{ ...row, base: opposite(row.base), amount: opposite(row.amount) },
    ...(surcharge && { surcharge: { ...surcharge, amount: opposite(surcharge.amount) } }),
  })),
});

/** A percentage is of an amount that is negated itself. */
const negatedAdjustment = <One extends { amount?: number | null }>(one: One): One =>
  one.amount !== undefined && one.amount !== null ? { ...one, amount: opposite(one.amount) } : one;

const opposite = (amount: number): number => jsonNumber(minus(exactText(amount)));
