import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import { decimal, numberText, ZERO } from '@svc/kernel';
import { amountText } from './not-representable.ts';
import type { Node } from './xml.ts';

/**
 * BT-20: what stands for a due date where there is none (BR-CO-25), and what the customer withholds, which EN 16931 has no amount for. A credit note has no element
 * for a due date (BT-9) of its own.
 */
export function paymentTerms(invoice: InvoiceResource): Node {
  const sentences = [...due(invoice), ...retained(invoice)];
  return sentences.length > 0 ? { 'cbc:Note': sentences.join(' ') } : undefined;
}

function due({ type, due_date, ...invoice }: InvoiceResource): string[] {
  if (type === 'credit_note') return [due_date ? `Due on ${due_date}.` : 'The amount is credited to the customer.'];
  return due_date || !isPayable(invoice) ? [] : ['Payable on receipt.'];
}

/** Whether the amount that the document states as payable (BT-115) is above 0. */
const isPayable = ({ total, amount_paid }: Pick<InvoiceResource, 'total' | 'amount_paid'>): boolean =>
  decimal(numberText(total)).minus(numberText(amount_paid)).cmp(ZERO) > 0;

function retained({ tax_breakdown, currency, total, amount_paid, retained_total }: InvoiceResource): string[] {
  const rows = tax_breakdown.filter((row) => row.retained);
  if (rows.length === 0) return [];
  const withheld = rows.map(
    ({ category, rate, base, amount }) =>
      `${category} ${numberText(rate)} % of ${amountText(numberText(base))}: ${amountText(numberText(amount))} ${currency}`,
  );
  const left = decimal(numberText(total)).minus(numberText(retained_total)).minus(numberText(amount_paid));
  return [`The customer withholds ${withheld.join(', ')}. To pay after retention: ${amountText(left)} ${currency}.`];
}
