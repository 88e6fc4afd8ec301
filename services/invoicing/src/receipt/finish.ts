import { iso, Refusal, type Folded, type Recorded } from '@svc/kernel';
import type { InvoicingContext } from '../context.ts';
import type { Continuing } from '../invoice/finish.ts';
import { requestedCustomer } from '../document/requested-customer.ts';
import { takeNumber } from '../series/take-number.ts';
import type { DocumentRef, Watched } from '../unfinished/watched.ts';
import type { ReceiptCommand } from './domain/decide.ts';
import type { ReceiptEvent } from './domain/events.ts';
import type { ReceiptState } from './domain/state.ts';
import { receiptsOf, receiptStream } from './receipts.ts';

/**
 * The steps after a receipt was asked for: takes the number and issues it, or refuses it for ever where none can be taken. Any number of
 * actors may run it, all come to the same number.
 */
export async function finishReceipt(
  context: InvoicingContext,
  ref: DocumentRef,
  metadata: Continuing,
): Promise<Folded<ReceiptState | null>> {
  const receipts = receiptsOf(context);
  const now = await receipts.current(ref);
  if (now.state?.status !== 'being_numbered') return now;
  const { numbering, parties, earlier_release } = now.state;
  const stream = receiptStream(ref);
  const asked = { stream, revision: now.revision, type: 'ReceiptRequested' } as const;
  const { customer = null, obstacle } = parties.customer ? await requestedCustomer(context, asked, parties.customer) : {};
  const asking = { numbering, document: ref.id, request: 1, earlier_release };
  const taken = await takeNumber(context, { ...asking, metadata, obstacle });
  const at = iso(context.clock.now());
  const command: ReceiptCommand =
    taken instanceof Refusal
      ? { type: 'refuse_number', at, details: taken.details ?? {} }
      : { type: 'number', at, taken, parties: { ...parties, customer } };
  return receipts.handle(stream, () => command, metadata);
}

const steps: Partial<Record<ReceiptEvent['type'], 'open' | 'done'>> = {
  ReceiptRequested: 'open',
  ReceiptRefused: 'done',
  ReceiptIssued: 'done',
};

/** Receipts that wait for their number. */
export const watchedReceipts: Watched = {
  category: 'receipt',
  step: ({ type }: Recorded) => steps[type as ReceiptEvent['type']],
  async finish(context, ref) {
    const { account, env } = ref;
    await finishReceipt(context, ref, { account, env, actor: { type: 'system', id: 'invoicing' } });
  },
};
