import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import { dayIn, decimal, millisOf, numberText, toText, type Day } from '@svc/kernel';
import type { Fact } from './fact.ts';
import { productFacts } from './product-facts.ts';
import { taxFacts } from './tax-facts.ts';

type Document = InvoiceResource | ReceiptResource;

/**
 * The fact of a document's event; undefined while the document is not registered, and for the corrective by which another is voided: that one counts,
 * and from the day of its void it does no more. Events without a fact never delete one: a registered
 * document stays registered, also when voided.
 */
export function factOf({ subject, sequence, account, env, time, data }: PublicEvent<Document>): Fact | undefined {
  const { number, issue_date, customer_id, currency, issuer } = data;
  if (!isRegistered(data) || carriesOutVoid(data) || number === null || issue_date === null) return undefined;
  const time_zone = issuer?.time_zone ?? 'UTC';
  return {
    _id: subject,
    version: sequence,
    account,
    env,
    kind: data.object,
    number,
    is_credit_note: data.object === 'invoice' && data.type === 'credit_note',
    customer_id,
    currency,
    issued_on: issue_date,
    voided_on: voidedOn(data, time_zone),
    time_zone,
    changed_at: time,
    subtotal: numberText(data.subtotal),
    discount_total: numberText(data.discount_total),
    tax_total: numberText(data.tax_total),
    total: numberText(data.total),
    ...settlement(data),
    taxes: taxFacts(data.tax_breakdown),
    products: productFacts(data),
  };
}

const isRegistered = ({ fiscal }: Document): boolean => fiscal?.status === 'registered' || fiscal?.status === 'cancelled';

const carriesOutVoid = (data: Document): boolean =>
  data.object === 'invoice' ? typeof data.voids === 'string' : data.type === 'corrective';

/** The day of the void in the issuer's time zone. */
function voidedOn({ status, void: request }: Document, timeZone: string): Day | null {
  const at = status === 'voided' ? request?.voided_at : undefined;
  return at ? dayIn(timeZone, millisOf(at)) : null;
}

/** Paid and due amounts. A receipt is paid when it is issued. */
function settlement(data: Document): Pick<Fact, 'paid' | 'due'> {
  const payable = decimal(numberText(data.total)).minus(numberText(data.retained_total));
  if (data.object === 'receipt') return { paid: toText(payable), due: '0' };
  const paid = numberText(data.amount_paid);
  return { paid, due: toText(payable.minus(paid)) };
}
