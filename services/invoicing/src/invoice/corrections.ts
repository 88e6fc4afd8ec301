import type { PublicEvent } from '@svc/contracts/events/envelope';
import { currencyDecimals, iso, KeyedQueue, type Details, type Folded } from '@svc/kernel';
import type { DocumentContext } from '../document/context.ts';
import { outcomeMetadata } from '../document/outcome.ts';
import { unnumbered } from '../document/domain/reversal.ts';
import type { Continuing, DocumentRef } from '../document/process/process.ts';
import { refusalOf, reservedTotals } from './domain/correct.ts';
import type { InvoiceCommand } from './domain/decide.ts';
import { attemptOf, type InvoiceState } from './domain/state.ts';
import { invoices } from './invoices.ts';
import { isFull } from './original.ts';
import type { Totals } from '@svc/totals/terms';
import { totalsOf } from '@svc/totals/totals';
import { submissionPreconditions } from './submission.ts';

type Correction = InvoiceState & { content: { corrects: string } };
const isCorrection = (state: InvoiceState | null): state is Correction => state !== null && state.content.corrects !== null;

/** Commands on one original wait for each other: of those at the same moment only one would be appended. */
const queues = new WeakMap<DocumentContext['store'], KeyedQueue>();

function onOriginal(
  context: DocumentContext,
  { account, env, corrects }: Omit<DocumentRef, 'id'> & { corrects: string },
  command: (original: InvoiceState | null, version: number) => InvoiceCommand,
  metadata: Continuing,
): Promise<Folded<InvoiceState | null>> {
  const queue = queues.get(context.store) ?? new KeyedQueue();
  queues.set(context.store, queue);
  const ref = { account, env, id: corrects };
  return queue.add(invoices.stream(ref), () => invoices.carryOut(context, ref, command, metadata));
}

const now = ({ clock }: DocumentContext): string => iso(clock.now());

/** What the original answered to a submission. */
type Answer = { details: Details } | { details: undefined; totals: Totals };

/**
 * Holds room for a submission on the invoice that is corrected. Any number of actors may ask, all get the same answer: the totals of the correction, or
 * why there is no room.
 */
async function reserve(context: DocumentContext, ref: DocumentRef, state: Correction, metadata: Continuing): Promise<Answer> {
  const attempt = attemptOf(state);
  const { content } = state;
  // Under the number that it has, it keeps the totals it was issued with, but for what its original decides.
  const totals =
    state.status === 'being_numbered' ? totalsOf({ ...content, decimals: currencyDecimals(content.currency) ?? 0 }) : state.totals;
  const note = { id: state.id, content, totals };
  const wanted = { type: 'reserve_correction' as const, at: now(context), attempt, note };
  const after = await onOriginal(
    context,
    { ...ref, corrects: content.corrects },
    (original, version) => ({ ...wanted, isFull: isFull(original, version) }),
    metadata,
  );
  const details = refusalOf(after.state, { document: state.id, attempt });
  return details ? { details } : { details, totals: reservedTotals(after.state, note) };
}

/** The correction gets the totals with which it was reserved, before it is numbered or submitted again. */
async function takeTotals(
  context: DocumentContext,
  ref: DocumentRef,
  totals: Totals,
  metadata: Continuing,
  attempt: number,
): Promise<void> {
  await invoices.carryOut(context, ref, () => ({ type: 'settle_totals', at: now(context), attempt, totals }), metadata);
}

/**
 * The steps after a request for a number; a correction gets one only where the invoice that it corrects has room for it. What carries out a void
 * takes no room.
 */
export async function takeInvoiceNumber(
  context: DocumentContext,
  ref: DocumentRef,
  metadata: Continuing,
): Promise<Folded<InvoiceState | null>> {
  const read = await invoices.load(context, ref);
  const { state } = read;
  if (state?.content.corrects === null || state?.reversal) return invoices.number(context, ref, metadata);
  // Read again it may be one that asks for its number: without a reservation it gets none.
  if (state?.status !== 'being_numbered' || !isCorrection(state)) return read;
  const answer = await reserve(context, ref, state, metadata);
  const { details } = answer;
  const { request } = state;
  // The room is held for this request. Another may have been made meanwhile.
  if (details === undefined) {
    await takeTotals(context, ref, answer.totals, metadata, request);
    return invoices.number(context, ref, metadata, request);
  }
  return invoices.carryOut(context, ref, () => ({ type: 'refuse_number', at: now(context), request, details }), metadata);
}

/** The steps after a request to submit a rejected correction again: under its number, once the invoice that it corrects has room for it. */
export async function resubmitCorrection(context: DocumentContext, ref: DocumentRef, metadata: Continuing): Promise<void> {
  const { state } = await invoices.load(context, ref);
  if (state?.status !== 'being_resubmitted' || !isCorrection(state)) return;
  const { attempt } = state;
  const answer = await reserve(context, ref, state, metadata);
  const { details } = answer;
  const of = { at: now(context), attempt };
  if (details) return void (await invoices.carryOut(context, ref, () => ({ type: 'refuse_resubmission', ...of, details }), metadata));
  await takeTotals(context, ref, answer.totals, metadata, attempt);
  // The original has decided.
  const preconditions = { ...(await submissionPreconditions(context, ref, state)), original: null };
  await invoices.carryOut(context, ref, () => ({ type: 'resubmit', ...of, preconditions }), metadata);
}

type Notice = Pick<Extract<InvoiceCommand, { type: 'end_reversal' }>, 'at' | 'document'>;

function settlementOf(state: InvoiceState, notice: Notice): InvoiceCommand | undefined {
  const type = settlements[state.status];
  return type && { type, ...notice, attempt: attemptOf(state) };
}

const settlements: Partial<Record<InvoiceState['status'], 'apply_correction' | 'release_correction'>> = {
  draft: 'release_correction',
  submitted: 'apply_correction',
  voiding: 'apply_correction',
  failed: 'release_correction',
  voided: 'release_correction',
};

/** What came of a corrective that carries out a void; undefined while that is not known. */
function endOf(state: InvoiceState, notice: Notice): InvoiceCommand | undefined {
  switch (state.status) {
    case 'submitted':
      return { type: 'end_reversal', ...notice, error: null };
    case 'failed': {
      const { code = 'rejected', message = 'The corrective was rejected.' } = state.fiscal.error ?? {};
      return { type: 'end_reversal', ...notice, error: { code, message } };
    }
    case 'voided':
      return { type: 'end_reversal', ...notice, error: unnumbered('refused' in state && state.refused ? state.refused : {}) };
    default:
      return undefined;
  }
}

/** Tells the invoice that is corrected what came of the correction's last submission. Repeated it changes nothing. */
export async function settleCorrection(context: DocumentContext, ref: DocumentRef, metadata: Continuing): Promise<void> {
  const { state } = await invoices.load(context, ref);
  if (!isCorrection(state)) return;
  const of = { at: now(context), document: ref.id };
  const command = state.reversal ? endOf(state, of) : settlementOf(state, of);
  if (!command) return;
  const { corrects } = state.content;
  const original = await onOriginal(context, { ...ref, corrects }, () => command, metadata);
  // Void by it, a credit note or corrective no longer takes anything of its own original.
  if (state.reversal && isCorrection(original.state)) await settleCorrection(context, { ...ref, id: corrects }, metadata);
}

/** All steps after a submission was requested. Answers the invoice as it is then. */
export async function proceed(context: DocumentContext, ref: DocumentRef, metadata: Continuing): Promise<Folded<InvoiceState | null>> {
  const numbered = await takeInvoiceNumber(context, ref, metadata);
  if (!isCorrection(numbered.state)) return numbered;
  await resubmitCorrection(context, ref, metadata);
  await settleCorrection(context, ref, metadata);
  return invoices.load(context, ref);
}

/** The authority's outcome, and what follows from it for the invoice that is corrected. Repeated it changes nothing. */
export async function applyInvoiceOutcome(context: DocumentContext, event: PublicEvent): Promise<void> {
  const after = await invoices.applyOutcome(context, event);
  if (!after || !isCorrection(after.state)) return;
  try {
    await settleCorrection(context, { account: event.account, env: event.env, id: event.subject }, outcomeMetadata(event));
  } catch (error) {
    // The outcome is stored: the process manager goes on from there.
    context.logger.warn(
      { document: event.subject, err: error },
      'the original of a correction could not be told its outcome; it is tried again',
    );
  }
}
