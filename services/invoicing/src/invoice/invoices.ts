import type { EntryPayment } from '@svc/contracts/document/entry';
import type { Projection } from '@svc/event-store';
import { jsonNumber, type Env, uidOf, versionAt, dayIn, iso, prefixed } from '@svc/kernel';
import { createDocuments } from '../document/documents.ts';
import { documentProjection, numberFields, unnumbered } from '../document/list.ts';
import { documentPublisher } from '../document/publish.ts';
import { publicStatus, shownBalance } from './domain/actions.ts';
import { answeredFrom, type Creation } from './answered-from.ts';
import { invoiceDecider } from './domain/decide.ts';
import type { SubmissionPreconditions } from './domain/submission.ts';
import { type InvoiceEvent, invoiceEvents } from './domain/events.ts';
import { findPayment, type PaymentEvent } from './domain/payments.ts';
import { type InvoiceState, isNumbered } from './domain/state.ts';
import { invoiceResource } from './resource.ts';
import type { Call, DocumentContext, Reading } from '../document/context.ts';
import { KEPT_FOR_OUTCOMES, MOST_EVENTS } from '../longest-stream.ts';
import type { Original } from './domain/correct.ts';
import { eventsToCome } from './domain/credits.ts';
import { deadlineOf } from '../document/domain/next-operation.ts';
import { canBeInvoiced, frozenCustomer, frozenIssuer } from '../document/domain/parties.ts';
import { numberingFor } from '../document/numbering.ts';
import { placeProblems, pointOfSale } from '../issuer/domain/point-of-sale.ts';
import { missingOf } from '../issuer/domain/setup.ts';
import type { CreateInvoice, UpdateInvoice } from '@svc/contracts/invoice/requests';
import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import type { Preconditions } from './domain/content.ts';
import { checkSimulation } from '@svc/contracts/document/simulation';

export const invoices = createDocuments({
  name: 'invoice',
  eventName: 'Invoice',
  decider: invoiceDecider,
  events: invoiceEvents,
  written,
  isShown: (state): state is InvoiceState => state !== null,
  eventsBefore: 0,
  resource: invoiceResource,
  hidden: [
    'InvoiceSubmissionRequested',
    'InvoiceSubmissionRefused',
    'InvoiceResubmissionRequested',
    'InvoiceResubmissionRefused',
    'InvoiceCorrectionReserved',
    'InvoiceCorrectionRefused',
  ],
  history: {
    InvoiceDrafted: 'created',
    InvoiceCorrectionDrafted: 'created',
    InvoiceReversalDrafted: 'created',
    InvoiceRevised: 'updated',
    InvoiceSubmissionRequested: 'submission_requested',
    InvoiceSubmissionRefused: 'updated',
    InvoiceNumbered: 'numbered',
    InvoiceResubmitted: 'submission_requested',
    InvoicePaymentRecorded: 'payment_recorded',
    InvoicePaymentReversed: 'payment_reversed',
    InvoiceResubmissionRequested: 'updated',
    InvoiceResubmissionRefused: 'updated',
    InvoiceCorrectionReserved: 'updated',
    InvoiceCorrectionRefused: 'updated',
    InvoiceCorrectionApplied: 'updated',
    InvoiceCorrectionReleased: 'updated',
  },
  numbered: ['InvoiceNumbered'],
  entry: (event, state) => (isPayment(event) ? { payment: paymentOf(event, state) } : {}),
  numberRequested: ['InvoiceSubmissionRequested'],
  reversalSeries: 'corrective',
  instead: 'Draft another invoice.',
});

export const invoicesProjection = documentProjection(invoices.definition, {
  name: 'invoices_v9',
  filters: ['payment_status', 'fiscal_status', 'fiscal_deadline', 'due_date', 'series', 'currency', 'type'],
  // until 0.3: payment_status is null where nothing is owed since 0.2, and the others are there since then
  newFields: ['payment_status', 'number_key', 'fiscal_status', 'fiscal_deadline', 'due_date'],
  own(state) {
    const { type, customer_id, corrects, issue_date, due_date } = state.content;
    return {
      status: publicStatus(state),
      type,
      customer_id,
      ...(isNumbered(state) ? numberFields(state.content, { ...state.issue, issue_date }) : unnumbered),
      payment_status: shownBalance(state).status,
      fiscal_status: isNumbered(state) ? state.fiscal.status : null,
      fiscal_deadline: (isNumbered(state) && deadlineOf(state)) || null,
      corrects,
      issue_date,
      due_date,
    };
  },
});

export type InvoiceRow = typeof invoicesProjection extends Projection<infer R, InvoiceState | null> ? R : never;

export const invoicePublisher = documentPublisher(invoices.definition, {
  updated: 'invoicing.invoice-updated.v1',
  types: {
    InvoiceDrafted: 'invoicing.invoice-created.v1',
    InvoiceCorrectionDrafted: 'invoicing.invoice-created.v1',
    InvoiceReversalDrafted: 'invoicing.invoice-created.v1',
    InvoiceRegistered: 'invoicing.invoice-submitted.v1',
    InvoiceRejected: 'invoicing.invoice-failed.v1',
    InvoiceVoided: 'invoicing.invoice-voided.v1',
  },
  registers: ['InvoiceNumbered', 'InvoiceResubmitted'],
});

const isPayment = (event: InvoiceEvent): event is PaymentEvent =>
  event.type === 'InvoicePaymentRecorded' || event.type === 'InvoicePaymentReversed';

function paymentOf({ data }: PaymentEvent, state: InvoiceState): EntryPayment {
  const known = 'payment' in data ? findPayment('payments' in state ? state.payments : undefined, data.payment) : data;
  if (!known) throw new TypeError(`${state.id} has no such payment`);
  const { id, amount, paid_at } = known;
  return { id, amount: jsonNumber(amount), paid_at };
}

/** A change of items is blamed on them, else the first field that changed. */
function written(event: InvoiceEvent): string | null {
  if (event.type === 'InvoiceDrafted' || event.type === 'InvoiceCorrectionDrafted') return 'items';
  if (event.type !== 'InvoiceRevised') return null;
  return event.data.changes.items ? 'items' : (Object.keys(event.data.changes)[0] ?? null);
}

const none: Original = { state: null, isFull: false };

/** The invoice that another one corrects, as the store has it now. `id`: null for one that corrects nothing. */
async function originalOf(
  context: Pick<DocumentContext, 'store' | 'ids'>,
  { account, env }: { account: string; env: Env },
  id: string | null,
): Promise<Original> {
  if (id === null || uidOf('inv', id) === undefined) return none;
  const { state, revision } = await invoices.load(context, { account, env, id });
  return { state, isFull: isFull(state, versionAt(revision)) };
}

/** What its corrections may still add leaves the places that outcomes need. */
export const isFull = (state: InvoiceState | null, version: number): boolean =>
  version + (state && isNumbered(state) ? eventsToCome(state) : 0) + KEPT_FOR_OUTCOMES >= MOST_EVENTS;

/** What a submission of an invoice depends on now. */
export async function submissionPreconditions(
  { context, identity: { account, env }, certified: asked }: Pick<Call, 'context' | 'certified'> & Pick<Reading, 'identity'>,
  { status, content }: InvoiceState,
): Promise<SubmissionPreconditions> {
  const [issuer, customer, original, certified] = await Promise.all([
    context.issuers.of(account, env),
    context.customers.find(account, env, content.customer_id),
    originalOf(context, { account, env }, content.corrects),
    asked?.(),
  ]);
  const sale = pointOfSale(content, issuer);
  const { unit, device } = sale;
  const { series: code, issue_date: issueDate, due_date: dueDate, type: kind } = content;
  return {
    issuer: frozenIssuer(issuer, sale),
    missing: { ...missingOf(issuer, { ...context, certified }), ...placeProblems(content, issuer) },
    customer: customer?.personal && canBeInvoiced(customer, content.corrects) ? frozenCustomer(customer) : undefined,
    numbering:
      status === 'draft' ? await numberingFor(context, issuer, { account, env, kind, code, unit, device, issueDate, dueDate }) : null,
    original,
  };
}

/** A draft. Asked again under the same command id it answers with the invoice made before. Throws validation_error. */
export async function createInvoice(call: Call, body: CreateInvoice): Promise<InvoiceResource> {
  return invoices.resourceAfter(await invoices.run(call, idFor(call), async () => answeredFrom(call, await creation(call, body))));
}

/** The command that creates it, under the id that follows from the command id. */
export async function creation(call: Call, body: CreateInvoice): Promise<Creation> {
  if (body.metadata) checkSimulation(call.identity, body.metadata);
  const preconditions = await preconditionsOf(call, body, body.corrects ?? null);
  return { type: 'create', at: iso(call.context.clock.now()), id: idFor(call), livemode: call.identity.livemode, body, preconditions };
}

const idFor = ({ identity }: Call): string => prefixed('inv', identity.commandId);

/** What writing an invoice depends on now. `corrects`: id of the invoice that it corrects. */
export async function preconditionsOf(
  { context, identity, customers = context.customers }: Call,
  { customer_id: customerId, items }: UpdateInvoice,
  corrects: string | null,
): Promise<Preconditions> {
  const { account, env } = identity;
  const [defaults, customer, products, original] = await Promise.all([
    context.issuers.of(account, env),
    customerId === undefined ? undefined : customers.find(account, env, customerId),
    context.products.named(account, env, items),
    originalOf(context, identity, corrects),
  ]);
  return {
    defaults,
    today: dayIn(defaults.time_zone, context.clock.now()),
    customerKnown: canBeInvoiced(customer, corrects),
    products,
    original: original.state,
  };
}
