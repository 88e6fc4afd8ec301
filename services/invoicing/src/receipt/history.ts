import type { HistoryType } from '@svc/contracts/http/vocabulary';
import { versionAt } from '@svc/kernel';
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

/** Oldest first, from the moment it had its number. Throws not_found. */
export async function receiptHistory({ context, identity }: ReceiptCall, id: string): Promise<HistoryEntry[]> {
  const { account, env } = identity;
  await readReceipt({ context, identity }, id);
  let state: ReceiptState | null = null;
  const entries: HistoryEntry[] = [];
  for (const recorded of await context.store.read(receiptStream({ account, env, id }))) {
    const event = receiptEvents.decode(recorded);
    const before: ReceiptState | null = state;
    state = evolve(before, event);
    if (event.type === 'ReceiptRequested' || event.type === 'ReceiptRefused') continue;
    const version = receiptVersion(versionAt(recorded.revision));
    const changes = changesOf(before, state, version);
    entries.push(historyEntry(recorded, { version, type: types[event.type], at: event.data.at, changes }));
  }
  return entries;
}

function changesOf(before: ReceiptState | null, after: ReceiptState | null, version: number): Record<string, unknown> {
  if (!isNumbered(before) || !isNumbered(after)) return {};
  return changed(receiptResource(before, version), receiptResource(after, version));
}
