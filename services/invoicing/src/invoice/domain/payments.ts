import type { PaymentStatus } from '@svc/contracts/invoice/vocabulary';
import type { PaymentMethod } from '@svc/contracts/document/vocabulary';
import { currencyDecimals, decimal, invalid, toText, ZERO, type Day } from '@svc/kernel';
import type { Totals } from '@svc/totals/terms';
import type { DocumentContent } from '../../document/domain/state.ts';

/** A payment as it is recorded. `amount`: decimal text above 0, in the invoice's currency. */
export interface Payment {
  id: string;
  amount: string;
  paid_at: Day;
  method: PaymentMethod | null;
  reference: string | null;
  metadata: Record<string, string>;
}

export interface RecordedPayment extends Payment {
  created_at: string;
  /** null: it counts. */
  reversed_at: string | null;
}

/** Of one invoice, in the order in which they were recorded. A reversed one stays, so that a repeated reversal is answered. */
export interface Payments {
  recorded: readonly RecordedPayment[];
  /** How many count, and their sum as decimal text. */
  count: number;
  paid: string;
}

/** Of an invoice at a time. So many can be reversed whatever else happens: see `checkLength` where they are recorded. */
export const MOST_PAYMENTS = 100;

interface Owed {
  totals: Pick<Totals, 'total' | 'retained_total'>;
  payments?: Payments;
}

/** Amounts as decimal text. `due` is negative where something is owed back. */
export interface Balance {
  paid: string;
  credited: string;
  due: string;
  status: PaymentStatus;
}

/** due = total − retained − paid − credited. `credited`: of the registered credit notes. */
export function balanceOf({ totals: { total, retained_total: retained }, payments }: Owed, credited: string): Balance {
  const paid = payments?.paid ?? '0';
  const settled = [retained, paid, credited].filter((amount) => amount !== '0');
  const due = settled.length === 0 ? total : toText(settled.reduce((left, amount) => left.minus(amount), decimal(total)));
  const isPartial = paid !== '0' || credited !== '0';
  return { paid, credited, due, status: decimal(due).lte(ZERO) ? 'paid' : isPartial ? 'partial' : 'unpaid' };
}

/** `today`: in the issuer's time zone. */
export type PaymentCommand = { at: string } & (
  { type: 'record_payment'; payment: Payment; today: Day } | { type: 'reverse_payment'; payment: string }
);

export type PaymentEvent =
  | { type: 'InvoicePaymentRecorded'; data: Payment & { at: string } }
  /** `payment`: its id. */
  | { type: 'InvoicePaymentReversed'; data: { at: string; payment: string } };

export const findPayment = (payments: Payments | undefined, id: string): RecordedPayment | undefined =>
  payments?.recorded.find((payment) => payment.id === id);

/** Throws validation_error naming `amount` beyond what is due or finer than the currency, or `paid_at` in the future. */
export function recordPayment(
  { at, payment, today }: Extract<PaymentCommand, { type: 'record_payment' }>,
  { content, payments }: { content: Pick<DocumentContent, 'currency'>; payments?: Payments },
  { due }: Balance,
): PaymentEvent[] {
  if (findPayment(payments, payment.id)) return [];
  if (payment.paid_at > today) throw invalid({ paid_at: [`is in the future: today is ${today}.`] });
  const amount = decimal(payment.amount);
  const decimals = currencyDecimals(content.currency) ?? 0;
  if (amount.scale > decimals) throw invalid({ amount: [`has at most ${decimals} decimals in ${content.currency}.`] });
  if (!amount.lte(due)) throw invalid({ amount: [`is more than the amount_due of ${due} ${content.currency}.`] });
  return [{ type: 'InvoicePaymentRecorded', data: { at, ...payment } }];
}

export function paymentsAfter(before: Payments | undefined, event: PaymentEvent): Payments {
  const { recorded, count, paid } = before ?? { recorded: [], count: 0, paid: '0' };
  if (event.type === 'InvoicePaymentRecorded') {
    const { at, ...payment } = event.data;
    const next = { ...payment, created_at: at, reversed_at: null };
    return { recorded: [...recorded, next], count: count + 1, paid: toText(decimal(paid).plus(payment.amount)) };
  }
  const { at, payment: id } = event.data;
  const reversed = findPayment(before, id);
  return {
    recorded: recorded.map((payment) => (payment.id === id ? { ...payment, reversed_at: at } : payment)),
    count: count - 1,
    paid: toText(decimal(paid).minus(reversed?.amount ?? '0')),
  };
}
