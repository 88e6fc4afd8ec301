import { currencyDecimals, iso, KeyedQueue, type Folded } from '@svc/kernel';
import { totalsOf } from '@svc/totals/totals';
import type { DocumentContext, Continuing, DocumentRef } from '../document/context.ts';
import { isBeingNumbered } from '../document/domain/state.ts';
import { createProcess, type Due } from '../document/process/process.ts';
import { documentSteps } from '../document/process/steps.ts';
import { refusalOf, reservedTotals } from './domain/correct.ts';
import type { InvoiceCommand } from './domain/decide.ts';
import { afterEvent, dueSteps, isAsking, type InvoiceStep } from './domain/next-steps.ts';
import { attemptOf, type InvoiceState } from './domain/state.ts';
import { invoices, isFull, submissionPreconditions } from './invoices.ts';

const { takeNumber, reverse } = documentSteps(invoices);

/** Commands on one corrected invoice wait for each other: of those at the same moment only one would be appended. */
const queues = new WeakMap<DocumentContext['store'], KeyedQueue>();

/** On the invoice `ref`, which another one corrects. */
function onCorrected(
  context: DocumentContext,
  ref: DocumentRef,
  command: (corrected: InvoiceState | null, version: number) => InvoiceCommand,
  metadata: Continuing,
): Promise<Folded<InvoiceState | null>> {
  const queue = queues.get(context.store) ?? new KeyedQueue();
  queues.set(context.store, queue);
  return queue.add(invoices.stream(ref), () => invoices.carryOut(context, ref, command, metadata));
}

type Reserving = Due<InvoiceState, Extract<InvoiceStep, { do: 'reserve' }>>;

/**
 * The corrected invoice answers each submission once, so any number of actors may ask. The correction gets the totals with which it was reserved before it is
 * numbered, or submitted again under its number.
 */
async function reserve(due: Reserving): Promise<Folded<InvoiceState | null>> {
  const { context, ref, metadata } = due;
  const { corrects, attempt } = due.step;
  const { state } = due.now;
  const { id, content } = state;
  const isNumbering = state.status === 'being_numbered';
  const now = (): string => iso(context.clock.now());
  const carryOut = (command: () => InvoiceCommand) => invoices.carryOut(context, ref, command, metadata);
  // Under the number that it has, it keeps the totals it was issued with, but for what the corrected invoice decides.
  const totals = isNumbering ? totalsOf({ ...content, decimals: currencyDecimals(content.currency) ?? 0 }) : state.totals;
  const note = { id, content, totals };
  const corrected = await onCorrected(
    context,
    { ...ref, id: corrects },
    (original, version) => ({ type: 'reserve_correction', at: now(), attempt, note, isFull: isFull(original, version) }),
    metadata,
  );
  const details = refusalOf(corrected.state, { document: id, attempt });
  if (details)
    return carryOut(() =>
      isNumbering
        ? { type: 'refuse_number', at: now(), request: attempt, details }
        : { type: 'refuse_resubmission', at: now(), attempt, details },
    );
  const reserved = reservedTotals(corrected.state, note);
  const settled = await carryOut(() => ({ type: 'settle_totals', at: now(), attempt, totals: reserved }));
  // Another actor may have refused this request meanwhile, and a caller made another.
  if (isNumbering)
    return settled.state && attemptOf(settled.state) === attempt && isBeingNumbered(settled.state) ? takeNumber(due) : settled;
  // The corrected invoice has decided.
  const preconditions = { ...(await submissionPreconditions({ context, identity: ref }, state)), original: null };
  return carryOut(() => ({ type: 'resubmit', at: now(), attempt, preconditions }));
}

export const invoiceProcess = createProcess(invoices, {
  dueSteps,
  isAsking,
  afterEvent,
  steps: {
    take_number: takeNumber,
    reserve,
    reverse,

    async report({ context, ref, now, step: { corrects, report }, metadata, proceed }) {
      const corrected = { ...ref, id: corrects };
      const command = (): InvoiceCommand => ({ ...report, at: iso(context.clock.now()), document: ref.id });
      const after = await onCorrected(context, corrected, command, metadata);
      // Void by it, a credit note or corrective no longer takes anything of the invoice that it corrects.
      if (now.state.reversal && after.state?.content.corrects) await proceed(corrected, after);
      return undefined;
    },
  },
});
