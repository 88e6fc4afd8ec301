import type { UpdateInvoice } from '@svc/contracts/invoice/requests';
import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import { iso } from '@svc/kernel';
import { checkSimulation } from '@svc/contracts/document/simulation';
import { preconditionsOf, invoices } from './invoices.ts';
import { checkLength, checkBytes, KEPT_FOR_OUTCOMES } from '../longest-stream.ts';
import { reversible } from './payments.ts';
import type { Call, Named } from '../document/documents.ts';

const STILL = 'It can still be submitted and voided.';

/** A merge patch. Throws not_found, version_conflict, validation_error, invalid_state. */
export async function reviseInvoice(call: Call, { body, ...named }: Named & { body: UpdateInvoice }): Promise<InvoiceResource> {
  checkSimulation(call.identity, body.metadata);
  return invoices.change(call, named, async (state, version, bytes) => {
    checkLength(version + KEPT_FOR_OUTCOMES + reversible(state), STILL);
    checkBytes(bytes, STILL);
    const preconditions = await preconditionsOf(call, body, state.content.corrects);
    return { type: 'revise', at: iso(call.context.clock.now()), body, preconditions };
  });
}
