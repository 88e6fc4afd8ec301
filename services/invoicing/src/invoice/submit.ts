import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import { invalid, iso } from '@svc/kernel';
import type { Call, Named } from '../document/documents.ts';
import type { InvoiceState } from './domain/state.ts';
import { invoices, submissionPreconditions } from './invoices.ts';
import { invoiceProcess } from './process.ts';

/**
 * Asks for registration: the invoice gets its number (or keeps the one it has) and is submitting. Repeated, also after a crash or a lost
 * answer, it goes on where it stood. Throws not_found, version_conflict, validation_error before a number is spent, invalid_state.
 */
export async function submitInvoice(call: Call, { lateReason, ...named }: Named & { lateReason: string | null }): Promise<InvoiceResource> {
  const submit = async (state: InvoiceState) => {
    const preconditions = await submissionPreconditions(call.context, call.identity, state);
    return { type: 'submit' as const, at: iso(call.context.clock.now()), preconditions, late_reason: lateReason };
  };
  const finished = await invoiceProcess.runNumbered(call, named.id, invoices.onExisting(named, submit));
  const { state } = finished;
  if (state?.status === 'draft') throw invalid(state.refused ?? {});
  if (state?.status === 'failed' && state.refused) throw invalid(state.refused);
  return invoices.resourceAfter(finished);
}
