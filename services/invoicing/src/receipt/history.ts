import type { HistoryType } from '@svc/contracts/document/vocabulary';
import { versionAt, type Recorded, type Turn } from '@svc/kernel';
import { eventsOf, type History } from '@svc/service';
import { changed, historyEntry, type HistoryEntry } from '../invoice/history.ts';
import type { ReceiptEvent } from './domain/events.ts';
import { evolve } from './domain/evolve.ts';
import { isNumbered, type ReceiptState } from './domain/state.ts';
import { receiptEvents } from './domain/upcast.ts';
import { receiptStream, type ReceiptCall } from './receipts.ts';
import { readReceipt } from './read.ts';
import { receiptResource, receiptVersion } from './resource.ts';

const types: Record<Exclude<ReceiptEvent['type'], 'ReceiptRequested' | 'ReceiptRefused'>, HistoryType> = {
  ReceiptIssued: 'created',
  ReceiptResubmitted: 'submission_requested',
  ReceiptRegistered: 'registered',
  ReceiptRejected: 'rejected',
  ReceiptDelayed: 'delayed',
  ReceiptVoidRequested: 'void_requested',
  ReceiptVoided: 'voided',
  ReceiptVoidRefused: 'void_refused',
};

/** From the moment it had its number. Throws not_found. */
export async function receiptHistory({ context, identity, turn }: ReceiptCall, id: string): Promise<History<HistoryEntry>> {
  const { account, env } = identity;
  const { version: total } = await readReceipt({ context, identity, turn }, id);
  const events = (turn: Turn) => eventsOf(context.store, receiptStream({ account, env, id }), turn);
  return { total, entries: (range, turn) => entriesOf(events(turn), range) };
}

async function* entriesOf(events: AsyncIterable<Recorded>, { from, to }: { from: number; to: number }): AsyncGenerator<HistoryEntry> {
  let state: ReceiptState | null = null;
  for await (const recorded of events) {
    const version = receiptVersion(versionAt(recorded.revision));
    if (version > to) return;
    const event = receiptEvents.decode(recorded);
    const before: ReceiptState | null = state;
    state = evolve(before, event);
    if (event.type === 'ReceiptRequested' || event.type === 'ReceiptRefused' || version <= from) continue;
    const changes = changesOf(before, state, version);
    yield historyEntry(recorded, { version, type: types[event.type], at: event.data.at, changes });
  }
}

function changesOf(before: ReceiptState | null, after: ReceiptState | null, version: number): Record<string, unknown> {
  if (!isNumbered(before) || !isNumbered(after)) return {};
  return changed(receiptResource(before, version), receiptResource(after, version));
}
