import type { PageQuery } from '@svc/contracts/http/page';
import type { CreatePayment, PaymentResource } from '@svc/contracts/invoice/payment';
import { checkCalculated } from '@svc/contracts/schema/calculated';
import { dayIn, iso, jsonNumber, mergeMetadata, notFound, prefixed, type JsonText } from '@svc/kernel';
import { listItems, type JsonStream, type ListRequest } from '@svc/service';
import { exactText } from '@svc/totals/line';
import { checkLength, checkBytes, KEPT_FOR_OUTCOMES } from '../longest-stream.ts';
import type { Call, Named } from '../document/context.ts';
import { findPayment, type RecordedPayment } from './domain/payments.ts';
import { isNumbered, type InvoiceState } from './domain/state.ts';
import { invoices } from './invoices.ts';

const STILL = 'Its payments can still be reversed, and without any it can be voided.';

/** Places in the stream that payments need, so that each of them can be reversed. */
export const reversible = (state: InvoiceState): number => paymentsOf(state)?.count ?? 0;

/**
 * Repeated under the same command id it answers with the payment recorded before. Throws not_found, version_conflict, invalid_state unless the
 * invoice is submitted, validation_error naming `amount` beyond what is due or `paid_at` in the future.
 */
export async function recordPayment(call: Call, { body, ...named }: Named & { body: CreatePayment }): Promise<PaymentResource> {
  const { amount, paid_at, method = null, reference = null, metadata = {} } = body;
  const id = prefixed('pay', call.identity.commandId);
  const payment = { id, amount: exactText(amount), paid_at, method, reference, metadata: mergeMetadata({}, metadata) };
  const { calculated, ...ofInvoice } = call; // they are the payment's, not the invoice's
  const { time_zone } = await call.context.issuers.of(call.identity.account, call.identity.env);
  const { state } = await invoices.run(
    ofInvoice,
    named.id,
    invoices.onExisting(named, (now, version, bytes) => {
      checkLength(version + KEPT_FOR_OUTCOMES + reversible(now), STILL);
      checkBytes(bytes, STILL);
      const at = iso(call.context.clock.now());
      checkCalculated(calculated, null, () => paymentResource(now, { ...payment, created_at: at, reversed_at: null }));
      return { type: 'record_payment', at, payment, today: dayIn(time_zone, call.context.clock.now()) };
    }),
  );
  return answered(state, id);
}

/** Repeated it changes nothing. Throws not_found for the invoice or the payment, version_conflict. */
export async function reversePayment(call: Call, { payment, ...named }: Named & { payment: string }): Promise<PaymentResource> {
  const reverse = invoices.onExisting(named, () => ({ type: 'reverse_payment', at: iso(call.context.clock.now()), payment }));
  const { state } = await invoices.run(call, named.id, (now, ...version) => {
    if (now && !findPayment(paymentsOf(now), payment)) throw notFound('payment');
    return reverse(now, ...version);
  });
  return answered(state, payment);
}

/** Those that count, newest first. Throws not_found. */
export async function listPayments(
  { context, identity, turn }: Call,
  id: string,
  request: ListRequest & { query: PageQuery },
): Promise<JsonText | JsonStream> {
  const { state } = await invoices.current(context, { ...identity, id }, turn);
  const { page, per_page: size } = request.query;
  const counting = paymentsOf(state)?.recorded.filter(({ reversed_at }) => reversed_at === null) ?? [];
  const shown = counting.toReversed().slice((page - 1) * size, page * size);
  async function* items(): AsyncGenerator<PaymentResource> {
    for (const payment of shown) yield paymentResource(state, payment);
  }
  return listItems({ publicUrl: context.publicUrl, request, total: counting.length, items: items() });
}

const paymentsOf = (state: InvoiceState) => (isNumbered(state) ? state.payments : undefined);

function answered(state: InvoiceState | null, id: string): PaymentResource {
  const payment = state && findPayment(paymentsOf(state), id);
  if (!state || !payment) throw notFound('payment');
  return paymentResource(state, payment);
}

const paymentResource = (
  { id: invoice_id, livemode, content }: InvoiceState,
  { id, amount, paid_at, method, reference, metadata, created_at, reversed_at }: RecordedPayment,
): PaymentResource => ({
  ...{ id, object: 'payment', livemode, invoice_id },
  ...{ amount: jsonNumber(amount), currency: content.currency, paid_at, method, reference, metadata },
  ...{ created_at, updated_at: reversed_at ?? created_at, deleted_at: reversed_at },
});
