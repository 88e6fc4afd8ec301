import type { HistoryActor, HistoryEntry } from '@svc/contracts/document/history';
import type { HistoryType } from '@svc/contracts/document/vocabulary';
import { type Actor, type DomainEvent, type Recorded, sameJson, type Turn, versionAt, type Decider } from '@svc/kernel';
import type { DocumentContext } from './context.ts';
import { eventsOf } from '@svc/service';
import type { Totals } from '@svc/totals/terms';
import type { DocumentDefinition } from './definition.ts';
import { fiscalEvent, isFiscalEvent, type FiscalEvent } from './domain/events.ts';
import type { DocumentEntry, EntryNumber } from '@svc/contracts/document/entry';
import { isNumbered, type NumberedDocument } from './domain/state.ts';

const types: Record<FiscalEvent['type'], HistoryType> = {
  Prepared: 'updated',
  Registered: 'registered',
  Amended: 'updated',
  Rejected: 'rejected',
  Delayed: 'delayed',
  VoidRequested: 'void_requested',
  Voided: 'voided',
  VoidRefused: 'void_refused',
  ReversalRequested: 'void_requested',
  ReversalRefused: 'void_refused',
};

interface Range {
  context: Pick<DocumentContext, 'store'>;
  stream: string;
  /** Versions after `from`, up to `to`. */
  range: { from: number; to: number };
  turn: Turn;
}

/** One entry an event that callers can see, oldest first, with the fields of the resource that it changed. */
export async function* entriesOf<State extends object, Shown extends State, Event extends DomainEvent, Resource>(
  definition: DocumentDefinition<State, Shown, never, Event, Resource>,
  { context, stream, range: { from, to }, turn }: Range,
): AsyncGenerator<HistoryEntry> {
  const { decider, events, eventsBefore, isShown } = definition;
  let state: State | null = null;
  let before: Resource | undefined;
  for await (const recorded of eventsOf(context.store, stream, turn)) {
    const version = versionAt(recorded.revision) - eventsBefore;
    if (version > to) return;
    const event = events.decode(recorded);
    const last: State | null = state;
    state = decider.evolve(last, event);
    const type = shownType(historyTypeOf(definition, event), last, state);
    if (version <= from || type === undefined || !isShown(state)) continue;
    before ??= isShown(last) ? definition.resource(last, 1) : undefined;
    const after = sharingLines(definition.resource(state, 1), { state, last, before });
    yield shownEntry(recorded, { version, type, at: (event.data as { at: string }).at, changes: before ? changed(before, after) : {} });
    before = after;
  }
}

/** What an event is in the history; undefined where it is no line of its own. */
const historyTypeOf = <Event extends DomainEvent>(
  { eventName, history }: Pick<DocumentDefinition<object, object, never, Event, unknown>, 'eventName' | 'history'>,
  event: Event,
): HistoryType | undefined =>
  history[event.type as Event['type']] ?? (isFiscalEvent(eventName, event) ? types[fiscalEvent(eventName, event).type] : undefined);

/** A delay is one where the status changes; news of another error is an update. */
function shownType(type: HistoryType | undefined, last: object | null, state: object | null): HistoryType | undefined {
  const statusOf = (one: object | null): string | undefined => (one as { fiscal?: { status: string } } | null)?.fiscal?.status;
  return type === 'delayed' && statusOf(last) === statusOf(state) ? 'updated' : type;
}

interface Lines {
  content: { items: unknown };
  totals: Totals;
}

/** With the lines of the resource before where the event left them as they were: they are not compared then. */
function sharingLines<Resource>(
  after: Resource,
  { state, last, before }: { state: object; last: object | null; before: Resource | undefined },
): Resource {
  const [now, then] = [state as Lines, last as Partial<Lines> | null];
  if (before === undefined || !then || now.content.items !== then.content?.items || now.totals !== then.totals) return after;
  const { items, tax_breakdown } = before as { items: unknown; tax_breakdown: unknown };
  return { ...after, items, tax_breakdown };
}

/** Who did it, and by which request. The gateway adds the name of a member, as it is when it is asked for. */
const historyActor = ({ actor, request_id }: Recorded['metadata']): Pick<HistoryEntry, 'actor' | 'request_id'> => ({
  actor: actorIn(actor),
  request_id: request_id ?? null,
});
const actorIn = ({ type, id }: Actor | HistoryActor = { type: 'system', id: null }): HistoryActor => ({ type, id });

const shownEntry = (
  { metadata }: Recorded,
  { version, type, at, changes }: Pick<HistoryEntry, 'version' | 'type' | 'at' | 'changes'>,
): HistoryEntry => ({ version, type, at, ...historyActor(metadata), changes });

/** Of two versions of a resource: the fields that differ, as they became. What follows from others is omitted. */
function changed<Resource>(before: Resource, after: Resource): Record<string, unknown> {
  const derived = ['updated_at', 'available_actions'];
  const differs = ([field, value]: [string, unknown]) => !derived.includes(field) && !sameJson(value, before[field as keyof Resource]);
  return Object.fromEntries(Object.entries(after as object).filter(differs));
}

/** How many public events a document has had. */
interface Counting {
  published?: number;
}
const publishedOf = (state: object | null): number => (state as Counting | null)?.published ?? 0;

/** The decider, whose states count the document's public events: who folds these sees from the count that one is missing. */
export const countingPublished = <State extends object, Shown extends State, Command extends { type: string }, Event extends DomainEvent>(
  decider: Decider<State | null, Command, Event>,
  { hidden, isShown }: Pick<DocumentDefinition<State, Shown, never, Event, unknown>, 'hidden' | 'isShown'>,
): Decider<State | null, Command, Event> => ({
  ...decider,
  evolve(before, event) {
    const after = decider.evolve(before, event);
    if (after === null) return null;
    const isPublished = isShown(after) && !hidden.includes(event.type as Event['type']);
    return { ...after, published: publishedOf(before) + (isPublished ? 1 : 0) };
  },
});

const numberOf = ({ issue, series_key, first_seq, content }: NumberedDocument): EntryNumber => ({
  ...{ seq: issue.seq, series_key: series_key ?? content.series },
  ...(first_seq !== undefined && { first_seq }),
});

/** The line of the document's history that a public event is. `state`: after it. */
export function entryOf<State extends object, Shown extends State, Event extends DomainEvent>(
  definition: DocumentDefinition<State, Shown, never, Event, unknown>,
  { metadata }: Pick<Recorded, 'metadata'>,
  { event, state }: { event: Event; state: Shown },
): DocumentEntry {
  const { at, issue_date } = event.data as { at: string; issue_date?: string };
  const isNumber = definition.numbered.includes(event.type as Event['type']);
  const type = historyTypeOf(definition, event) ?? 'updated';
  return {
    line: publishedOf(state),
    type,
    at,
    ...historyActor(metadata),
    ...definition.entry?.(event, state),
    ...(isNumber && isNumbered(state) && { numbered: numberOf(state) }),
    ...(type === 'voided' && issue_date !== undefined && { voided: { issue_date } }),
  };
}
