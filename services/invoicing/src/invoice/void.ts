import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import { metadataOf } from '../context.ts';
import type { DocumentContext } from '../document/context.ts';
import type { Call, Named } from '../document/documents.ts';
import type { Continuing, DocumentRef } from '../document/process/process.ts';
import { proceed } from './corrections.ts';
import { invoices } from './invoices.ts';

/**
 * Voids a draft and a failed invoice at once; a registered one is void when the authority has annulled it or has registered the corrective that is made
 * for it, which has its number when this returns. Throws not_found, version_conflict, validation_error, invalid_state.
 */
export async function voidInvoice(call: Call, named: Named & { reason: string | null }): Promise<InvoiceResource> {
  const { context, identity } = call;
  const resource = await invoices.void(call, named);
  if (resource.status !== 'voiding' || resource.void?.document_id === null) return resource;
  const { command_id: _, ...metadata } = metadataOf(identity);
  try {
    await reverseInvoice(context, { ...identity, id: named.id }, metadata);
  } catch (error) {
    // The request is stored: the process manager goes on from there.
    context.logger.warn({ document: named.id, err: error }, 'the corrective of a void could not be made; it is tried again');
  }
  return resource;
}

/** Makes the corrective by which a registered invoice is voided, with its number, and tells the invoice what came of it. Repeated it changes nothing. */
export async function reverseInvoice(context: DocumentContext, ref: DocumentRef, metadata: Continuing): Promise<void> {
  const reversal = await invoices.reverse(context, ref, metadata);
  if (reversal) await proceed(context, reversal, metadata);
}
