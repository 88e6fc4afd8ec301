import { iso, Refusal, type EventMetadata, type Folded, type Recorded } from '@svc/kernel';
import type { InvoicingContext } from '../context.ts';
import { takeNumber } from '../series/take-number.ts';
import type { DocumentRef, Watched } from '../unfinished/watched.ts';
import type { InvoiceCommand } from './domain/decide.ts';
import type { InvoiceEvent } from './domain/events.ts';
import type { InvoiceState } from './domain/state.ts';
import { invoicesOf, invoiceStream } from './invoices.ts';
import { requestedCustomer } from '../document/requested-customer.ts';

/** Of whoever goes on with a document: without a command id, since the command that began it has left its own. */
export type Continuing = Omit<EventMetadata, 'v' | 'command_id'>;

/**
 * The steps of a submission after its first event: takes the number and writes it into the invoice. Any number of actors may run it
 * at any time, all come to the same number. Answers the invoice, numbered, or a draft again where no number was taken.
 */
export async function finishInvoice(context: InvoicingContext, ref: DocumentRef, metadata: Continuing): Promise<Folded<InvoiceState>> {
  const invoices = invoicesOf(context);
  const now = await invoices.current(ref);
  if (now.state.status !== 'being_numbered') return now;
  const { numbering, request, parties, earlier_release } = now.state;
  const stream = invoiceStream(ref);
  const asked = { stream, revision: now.revision, type: 'InvoiceSubmissionRequested' } as const;
  const { customer, obstacle } = await requestedCustomer(context, asked, parties.customer);
  const taken = await takeNumber(context, { numbering, document: ref.id, request, metadata, obstacle, earlier_release });
  const at = iso(context.clock.now());
  const command: InvoiceCommand =
    taken instanceof Refusal
      ? { type: 'refuse_number', at, request, details: taken.details ?? {} }
      : { type: 'number', at, request, taken, parties: { ...parties, customer } };
  const { state, ...folded } = await invoices.handle(stream, () => command, metadata);
  return { ...folded, state: state ?? now.state };
}

const steps: Partial<Record<InvoiceEvent['type'], 'open' | 'done'>> = {
  InvoiceSubmissionRequested: 'open',
  InvoiceSubmissionRefused: 'done',
  InvoiceNumbered: 'done',
};

/** Invoices that wait for their number. */
export const watchedInvoices: Watched = {
  category: 'invoice',
  step: ({ type }: Recorded) => steps[type as InvoiceEvent['type']],
  async finish(context, ref) {
    const { account, env } = ref;
    await finishInvoice(context, ref, { account, env, actor: { type: 'system', id: 'invoicing' } });
  },
};
