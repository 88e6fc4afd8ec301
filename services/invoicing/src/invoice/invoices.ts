import { createCommandHandler, notFound, StateCache, uidOf, versionAt, type Folded, type Turn, streamOf } from '@svc/kernel';
import { checkVersion, type Identity, type IfMatch } from '@svc/service';
import type { InvoicingContext } from '../context.ts';
import { checkRoom, MOST_STATE_BYTES } from '../longest-stream.ts';
import type { DocumentRef } from '../unfinished/watched.ts';
import { bounded, type Sized } from '../document/bounded.ts';
import { invoiceDecider, type InvoiceCommand } from './domain/decide.ts';
import type { InvoiceEvent } from './domain/events.ts';
import { partiesOf } from '../document/domain/parties.ts';
import { isNumbered, type InvoiceState } from './domain/state.ts';
import { invoiceEvents } from './domain/upcast.ts';
import { invoiceResource, type InvoiceResource } from './resource.ts';

/** Throws not_found for what is no id of an invoice. */
export function invoiceStream({ account, env, id }: DocumentRef): string {
  if (uidOf('inv', id) === undefined) throw notFound('invoice');
  return streamOf('invoice', env, account, id);
}

function createInvoices({ store, ids }: Pick<InvoicingContext, 'store' | 'ids'>) {
  const decider = bounded(invoiceDecider, { sizedAfter, shown: (state) => (state === null ? undefined : invoiceResource(state, 1)) });
  const { handle, load } = createCommandHandler({
    streams: store,
    decider,
    ...invoiceEvents,
    ids,
    cache: new StateCache<InvoiceState | null>({ mostBytes: MOST_STATE_BYTES }),
  });
  return {
    handle,
    /** As the store has it now. Throws not_found. */
    async current(ref: DocumentRef, turn?: Turn): Promise<Folded<InvoiceState>> {
      const { state, ...folded } = await load(invoiceStream(ref), turn);
      if (state === null) throw notFound('invoice');
      return { ...folded, state };
    },
  };
}

function sizedAfter(event: InvoiceEvent, state: InvoiceState | null): Sized | undefined {
  if (state === null) return undefined;
  const parties = isNumbered(state) ? 'in' : null;
  const changeable = state.status === 'draft' || state.status === 'failed' ? 'content' : 'metadata';
  const resource = () => invoiceResource(state, 1);
  const sized: Sized = { content: state.content, resource, parties, again: null, written: null, changeable, ends: false };
  switch (event.type) {
    case 'InvoiceDrafted':
      return { ...sized, written: 'items' };
    case 'InvoiceRevised': {
      const [changed] = Object.keys(event.data.changes);
      if (changed === undefined) return undefined; // in front of a submission, which is judged
      return { ...sized, written: event.data.changes.items ? 'items' : changed };
    }
    case 'InvoiceSubmissionRequested':
      return { ...sized, parties: partiesOf(event.data), again: 'parties', changeable: 'content' };
    case 'InvoiceResubmitted':
      return { ...sized, again: 'parties', changeable: 'content' };
    case 'InvoiceVoidRequested':
      return { ...sized, again: 'issuer', ends: true };
    case 'InvoiceVoided':
      return { ...sized, changeable: 'content', ends: true }; // asked for, it was a draft or rejected
    default:
      return undefined;
  }
}

export type Invoices = ReturnType<typeof createInvoices>;

/** Who asks, and what with. */
export interface InvoiceCall {
  context: InvoicingContext;
  identity: Identity;
  /** The request's. */
  turn?: Turn;
}

/** An invoice that a caller names, and the versions it may have. */
export interface Named {
  id: string;
  ifMatch: IfMatch | undefined;
}

/** The command on an existing invoice at a version that the caller allows. Throws not_found, version_conflict, invalid_state where its stream is full. */
export const onExisting =
  ({ ifMatch }: Named, commandOn: (state: InvoiceState, version: number, bytes: number) => InvoiceCommand) =>
  (state: InvoiceState | null, version: number, bytes: number): InvoiceCommand => {
    if (state === null) throw notFound('invoice');
    checkVersion(ifMatch, version);
    checkRoom(version, 'Draft another invoice.');
    return commandOn(state, version, bytes);
  };

/** Answers what a command made of an invoice. */
export function resourceAfter({ state, revision }: Pick<Folded<InvoiceState | null>, 'state' | 'revision'>): InvoiceResource {
  if (state === null) throw notFound('invoice');
  return invoiceResource(state, versionAt(revision));
}

const byContext = new WeakMap<InvoicingContext, Invoices>();

/** The invoices' streams, with one cache for all use cases of a context. */
export function invoicesOf(context: InvoicingContext): Invoices {
  const found = byContext.get(context) ?? createInvoices(context);
  byContext.set(context, found);
  return found;
}
