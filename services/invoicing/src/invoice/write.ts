import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import { invalid, iso } from '@svc/kernel';
import type { Call, Named } from '../document/context.ts';
import type { InvoiceState } from './domain/state.ts';
import { invoices, submissionPreconditions, preconditionsOf } from './invoices.ts';
import { invoiceProcess } from './process.ts';
import type { UpdateInvoice } from '@svc/contracts/invoice/requests';
import { checkSimulation } from '@svc/contracts/document/simulation';
import { checkLength, checkBytes, KEPT_FOR_OUTCOMES } from '../longest-stream.ts';
import { reversible } from './payments.ts';

/**
 * Asks for registration: the invoice gets its number (or keeps the one it has) and is submitting. Repeated, also after a crash or a lost
 * answer, it goes on where it stood. Throws not_found, version_conflict, validation_error before a number is spent, invalid_state.
 */
export async function submitInvoice(call: Call, { lateReason, ...named }: Named & { lateReason: string | null }): Promise<InvoiceResource> {
  const submit = async (state: InvoiceState) => {
    const preconditions = await submissionPreconditions(call, state);
    return { type: 'submit' as const, at: iso(call.context.clock.now()), preconditions, late_reason: lateReason };
  };
  const finished = await invoiceProcess.runNumbered(call, named.id, invoices.onExisting(named, submit));
  const { state } = finished;
  if (state?.status === 'draft') throw invalid(state.refused ?? {});
  if (state?.status === 'failed' && state.refused) throw invalid(state.refused);
  return invoices.resourceAfter(finished);
}

const STILL = 'It can still be submitted and voided.';

/** A merge patch. Throws not_found, version_conflict, validation_error, invalid_state. */
export async function reviseInvoice(call: Call, { body, ...named }: Named & { body: UpdateInvoice }): Promise<InvoiceResource> {
  if (body.metadata) checkSimulation(call.identity, body.metadata);
  return invoices.change(call, named, async (state, version, bytes) => {
    checkLength(version + KEPT_FOR_OUTCOMES + reversible(state), STILL);
    checkBytes(bytes, STILL);
    const preconditions = await preconditionsOf(call, body, state.content.corrects);
    return { type: 'revise', at: iso(call.context.clock.now()), body, preconditions };
  });
}
