import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import { iso } from '@svc/kernel';
import { metadataOf } from '../context.ts';
import type { DocumentContext } from '../document/context.ts';
import type { Call, Named } from '../document/documents.ts';
import { unnumbered } from '../document/domain/reversal.ts';
import { outcomeMetadata } from '../document/outcome.ts';
import type { Continuing, DocumentRef } from '../document/process/process.ts';
import type { ReceiptCommand } from './domain/decide.ts';
import type { ReceiptState } from './domain/state.ts';
import { receipts } from './receipts.ts';

/**
 * Voids a rejected receipt at once; a registered one is void when the authority has annulled it or has registered the corrective that is made for it.
 * While its outcome is not known the request is kept. Throws not_found, version_conflict, validation_error, invalid_state.
 */
export async function voidReceipt(call: Call, named: Named & { reason: string | null }): Promise<ReceiptResource> {
  const resource = await receipts.void(call, named);
  if (resource.status !== 'voiding' || resource.void?.document_id === null) return resource;
  const { command_id: _, ...metadata } = metadataOf(call.identity);
  await goOn(call.context, { ...call.identity, id: named.id }, metadata);
  return resource;
}

/** The authority's outcome, and what follows from it for a void by a corrective. Repeated it changes nothing. */
export async function applyReceiptOutcome(context: DocumentContext, event: PublicEvent): Promise<void> {
  const after = await receipts.applyOutcome(context, event);
  if (after) await goOn(context, { account: event.account, env: event.env, id: event.subject }, outcomeMetadata(event));
}

/** What is due now. It is stored that it is: where it fails, the process manager goes on from there. */
async function goOn(context: DocumentContext, ref: DocumentRef, metadata: Continuing): Promise<void> {
  try {
    await reverseReceipt(context, ref, metadata);
    await endReversal(context, ref, metadata);
  } catch (error) {
    context.logger.warn({ document: ref.id, err: error }, 'the void of a receipt could not be continued; it is tried again');
  }
}

/** Makes the corrective by which a registered receipt is voided, with its number. Repeated it changes nothing. */
export async function reverseReceipt(context: DocumentContext, ref: DocumentRef, metadata: Continuing): Promise<void> {
  const reversal = await receipts.reverse(context, ref, metadata);
  if (!reversal) return;
  await receipts.number(context, reversal, metadata);
  await endReversal(context, reversal, metadata);
}

/** Tells the receipt that a corrective takes back what came of it. Repeated it changes nothing. */
export async function endReversal(context: DocumentContext, ref: DocumentRef, metadata: Continuing): Promise<void> {
  const { state } = await receipts.load(context, ref);
  const end = state && endOf(state);
  if (!end) return;
  const { corrects, error } = end;
  const command: ReceiptCommand = { type: 'end_reversal', at: iso(context.clock.now()), document: ref.id, error };
  await receipts.carryOut(context, { ...ref, id: corrects }, () => command, metadata);
}

type End = Pick<Extract<ReceiptCommand, { type: 'end_reversal' }>, 'error'> & { corrects: string };

/** undefined: it takes nothing back, or its outcome is not known. */
function endOf(state: ReceiptState): End | undefined {
  if (state.status === 'refused')
    return state.corrects === undefined ? undefined : { corrects: state.corrects, error: unnumbered(state.details) };
  const { corrects } = state.content;
  if (corrects === undefined || state.status === 'being_numbered') return undefined;
  if (state.fiscal.status === 'registered') return { corrects, error: null };
  if (state.fiscal.status !== 'rejected') return undefined;
  const { code = 'rejected', message = 'The corrective was rejected.' } = state.fiscal.error ?? {};
  return { corrects, error: { code, message } };
}
