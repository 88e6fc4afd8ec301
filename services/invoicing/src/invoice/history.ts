import type { HistoryType } from '@svc/contracts/document/vocabulary';
import { type Recorded, sameJson, type Turn, versionAt } from '@svc/kernel';
import { eventsOf, type History } from '@svc/service';
import type { InvoiceEvent } from './domain/events.ts';
import { evolve } from './domain/evolve.ts';
import type { InvoiceState } from './domain/state.ts';
import { invoiceEvents } from './domain/upcast.ts';
import { invoicesOf, invoiceStream, type InvoiceCall } from './invoices.ts';
import { invoiceResource, type InvoiceResource } from './resource.ts';

/** One thing that happened to a document: a published view, stored events stay private. */
export interface HistoryEntry {
  version: number;
  type: HistoryType;
  at: string;
  actor: { type: 'api_key' | 'member' | 'system'; id: string | null };
  request_id: string | null;
  /** The resource's fields that it changed, and what they became. */
  changes: Record<string, unknown>;
}

const types: Record<InvoiceEvent['type'], HistoryType> = {
  InvoiceDrafted: 'created',
  InvoiceRevised: 'updated',
  InvoiceSubmissionRequested: 'submission_requested',
  InvoiceSubmissionRefused: 'updated',
  InvoiceNumbered: 'numbered',
  InvoiceResubmitted: 'submission_requested',
  InvoiceRegistered: 'registered',
  InvoiceRejected: 'rejected',
  InvoiceDelayed: 'delayed',
  InvoiceVoidRequested: 'void_requested',
  InvoiceVoided: 'voided',
  InvoiceVoidRefused: 'void_refused',
};

/** Throws not_found. */
export async function invoiceHistory(
  { context, identity: { account, env }, turn }: InvoiceCall,
  id: string,
): Promise<History<HistoryEntry>> {
  const ref = { account, env, id };
  const { revision } = await invoicesOf(context).current(ref, turn);
  const events = (turn: Turn) => eventsOf(context.store, invoiceStream(ref), turn);
  return { total: versionAt(revision), entries: (range, turn) => entriesOf(events(turn), range) };
}

async function* entriesOf(events: AsyncIterable<Recorded>, { from, to }: { from: number; to: number }): AsyncGenerator<HistoryEntry> {
  let state: InvoiceState | null = null;
  let resource: InvoiceResource | undefined;
  for await (const recorded of events) {
    if (Number(recorded.revision) >= to) return;
    const event = invoiceEvents.decode(recorded);
    const last: InvoiceState | null = state;
    state = evolve(last, event);
    if (Number(recorded.revision) < from) continue;
    const before: InvoiceResource | undefined = resource ?? (last ? invoiceResource(last, 1) : undefined);
    resource = state ? resourceAfter(state, last, before) : undefined;
    const changes = before && resource ? changed(before, resource) : {};
    yield historyEntry(recorded, { version: versionAt(recorded.revision), type: types[event.type], at: event.data.at, changes });
  }
}

/** With the lines of the resource before where the event left them: they are not compared then. */
function resourceAfter(next: InvoiceState, last: InvoiceState | null, before: InvoiceResource | undefined): InvoiceResource {
  const after = invoiceResource(next, 1);
  const isSame = before && last && next.content.items === last.content.items && next.totals === last.totals;
  return isSame ? { ...after, items: before.items, tax_breakdown: before.tax_breakdown } : after;
}

type Told = Pick<HistoryEntry, 'version' | 'type' | 'at' | 'changes'>;

export const historyEntry = ({ metadata: { actor, request_id } }: Recorded, { version, type, at, changes }: Told): HistoryEntry => ({
  version,
  type,
  at,
  actor: actor ?? { type: 'system', id: null },
  request_id: request_id ?? null,
  changes,
});

/** Of two versions of a resource: the fields that differ, as they became. What follows from others is left out. */
export function changed<Resource extends object>(before: Resource, after: Resource): Record<string, unknown> {
  const derived = ['updated_at', 'available_actions'];
  const differs = ([field, value]: [string, unknown]) => !derived.includes(field) && !sameJson(value, before[field as keyof Resource]);
  return Object.fromEntries(Object.entries(after).filter(differs));
}
