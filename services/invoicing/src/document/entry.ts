import type { DocumentEntry } from '@svc/contracts/document/entry';
import type { Decider, DomainEvent, Recorded } from '@svc/kernel';
import type { DocumentDefinition } from './definition.ts';
import { isNumbered } from './domain/state.ts';
import { historyActor, historyTypeOf } from './history.ts';

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
    ...(isNumber && isNumbered(state) && { numbered: { seq: state.issue.seq, series_key: state.series_key ?? state.content.series } }),
    ...(type === 'voided' && issue_date !== undefined && { voided: { issue_date } }),
  };
}
