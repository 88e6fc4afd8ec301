import { createCommandHandler, notFound, uidOf, versionAt, type Folded, type Turn, streamOf } from '@svc/kernel';
import { checkVersion, type Identity, type IfMatch } from '@svc/service';
import type { InvoicingContext } from '../context.ts';
import { checkRoom } from '../longest-stream.ts';
import type { DocumentRef } from '../unfinished/watched.ts';
import { bounded, type Sized } from '../document/bounded.ts';
import { partiesOf } from '../document/domain/parties.ts';
import { receiptDecider, type ReceiptCommand } from './domain/decide.ts';
import type { ReceiptEvent } from './domain/events.ts';
import {
  isNumbered,
  type BeingNumbered,
  type NumberedReceipt,
  type ReceiptContent,
  type ReceiptFacts,
  type ReceiptState,
} from './domain/state.ts';
import { receiptEvents } from './domain/upcast.ts';
import { receiptResource, receiptVersion, type ReceiptResource } from './resource.ts';

/** Throws not_found for what is no id of a receipt. */
export function receiptStream({ account, env, id }: DocumentRef): string {
  if (uidOf('rcp', id) === undefined) throw notFound('receipt');
  return streamOf('receipt', env, account, id);
}

function createReceipts({ store, ids }: Pick<InvoicingContext, 'store' | 'ids'>) {
  const decider = bounded(receiptDecider, { sizedAfter, shown: () => undefined });
  const { handle, load } = createCommandHandler({ streams: store, decider, ...receiptEvents, ids });
  /** As the store has it now; null where there is none. */
  return { handle, current: (ref: DocumentRef, turn?: Turn) => load(receiptStream(ref), turn) };
}

/** Nothing of a receipt is ever changed. */
function sizedAfter(event: ReceiptEvent, state: ReceiptState | null): Sized | undefined {
  const sized = (content: ReceiptContent, numbered: () => NumberedReceipt): Sized => ({
    ...{ content, parties: 'in', again: 'parties', written: null, changeable: 'nothing', ends: false },
    resource: () => receiptResource(numbered(), 1),
  });
  if (event.type === 'ReceiptRequested' && state?.status === 'being_numbered')
    return { ...sized(state.content, () => onceNumbered(state, partiesOf(event.data))), written: 'items', changeable: 'content' };
  if (!isNumbered(state)) return undefined;
  switch (event.type) {
    case 'ReceiptResubmitted':
      return sized(state.content, () => state);
    case 'ReceiptVoidRequested':
      return { ...sized(state.content, () => state), again: 'issuer', ends: true };
    case 'ReceiptVoided':
      return { ...sized(state.content, () => state), again: null, ends: true };
    default:
      return undefined;
  }
}

/** With a number as long as any. */
function onceNumbered(state: BeingNumbered, parties: ReceiptFacts['parties']): NumberedReceipt {
  const at = state.created_at;
  const taken = { document: state.id, seq: Number.MAX_SAFE_INTEGER, number: '9'.repeat(255), issued_at: at, issue_date: at.slice(0, 10) };
  const events = receiptDecider.decide({ type: 'number', at, taken, parties }, state);
  return events.reduce<ReceiptState | null>(receiptDecider.evolve, state) as NumberedReceipt;
}

export type Receipts = ReturnType<typeof createReceipts>;

/** Who asks, and what with. */
export interface ReceiptCall {
  context: InvoicingContext;
  identity: Identity;
  /** The request's. */
  turn?: Turn;
}

/** A receipt that a caller names, and the versions it may have. */
export interface Named {
  id: string;
  ifMatch: IfMatch | undefined;
}

/** The command on an existing receipt at a version that the caller allows. Throws not_found, version_conflict, invalid_state where its stream is full. */
export const onExisting =
  ({ ifMatch }: Named, command: ReceiptCommand) =>
  (state: ReceiptState | null, streamVersion: number): ReceiptCommand => {
    if (!isNumbered(state)) throw notFound('receipt');
    checkVersion(ifMatch, receiptVersion(streamVersion));
    checkRoom(streamVersion, 'Issue another receipt.');
    return command;
  };

/** Throws not_found for a receipt that has no number yet. */
export function resourceAfter({ state, revision }: Pick<Folded<ReceiptState | null>, 'state' | 'revision'>): ReceiptResource {
  if (!isNumbered(state)) throw notFound('receipt');
  return receiptResource(state, receiptVersion(versionAt(revision)));
}

const byContext = new WeakMap<InvoicingContext, Receipts>();

/** The receipts' streams, with one cache for all use cases of a context. */
export function receiptsOf(context: InvoicingContext): Receipts {
  const found = byContext.get(context) ?? createReceipts(context);
  byContext.set(context, found);
  return found;
}
