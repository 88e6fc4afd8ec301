import { iso, Refusal, type Folded, type Recorded } from '@svc/kernel';
import type { InvoicingContext } from '../context.ts';
import type { Continuing } from '../invoice/finish.ts';
import { takeNumber } from '../series/take-number.ts';
import type { DocumentRef, Watched } from '../unfinished/watched.ts';
import type { ReceiptEvent } from './domain/events.ts';
import type { ReceiptState } from './domain/state.ts';
import { receiptsOf, receiptStream } from './receipts.ts';

/** The steps after a receipt was asked for: takes the number and issues it. Any number of actors may run it, all come to the same number. */
export async function finishReceipt(
  context: InvoicingContext,
  ref: DocumentRef,
  metadata: Continuing,
): Promise<Folded<ReceiptState | null>> {
  const receipts = receiptsOf(context);
  const now = await receipts.current(ref);
  if (now.state?.status !== 'being_numbered') return now;
  const taken = await takeNumber(context, { numbering: now.state.numbering, document: ref.id, metadata });
  // Only a date that the caller gave can come too late, and a receipt has none.
  if (taken instanceof Refusal) throw taken;
  const at = iso(context.clock.now());
  return receipts.handle(receiptStream(ref), () => ({ type: 'number', at, taken }), metadata);
}

const steps: Partial<Record<ReceiptEvent['type'], 'open' | 'done'>> = { ReceiptRequested: 'open', ReceiptIssued: 'done' };

/** Receipts that wait for their number. */
export const watchedReceipts: Watched = {
  category: 'receipt',
  step: ({ type }: Recorded) => steps[type as ReceiptEvent['type']],
  async finish(context, ref) {
    const { account, env } = ref;
    await finishReceipt(context, ref, { account, env, actor: { type: 'system', id: 'invoicing' } });
  },
};
