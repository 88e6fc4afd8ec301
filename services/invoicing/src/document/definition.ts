import type { DocumentEntry } from '@svc/contracts/document/entry';
import type { DocumentKind } from '@svc/contracts/documents';
import type { HistoryType } from '@svc/contracts/document/vocabulary';
import type { SeriesKind } from '@svc/contracts/issuer/series';
import type { Decider, DomainEvent, Recorded } from '@svc/kernel';
import type { DocumentCommand } from './domain/outcome.ts';

/** What one document is to the code that all documents share. `Shown`: the states in which callers can see it. */
export interface DocumentDefinition<State, Shown extends State, Command extends { type: string }, Event extends DomainEvent, Resource> {
  /** Category of its streams, `object` of its resource, `kind` of what is exchanged about its registration. */
  name: DocumentKind;
  /** What the names of its stored events begin with. */
  eventName: Capitalize<DocumentKind>;
  decider: Decider<State | null, Command | DocumentCommand, Event>;
  events: { decode(recorded: Recorded): Event; versions: Readonly<Record<Event['type'], number>> };
  /** The caller's field that an event writes; null where a process writes it, and where what stands is submitted or voided. */
  written(event: Event): string | null;
  isShown(state: State | null): state is Shown;
  /** Events of its stream before the one that gives it version 1. */
  eventsBefore: 0 | 1;
  resource(state: Shown, version: number): Resource;
  /** Events that are not published: their change shows with the next one. */
  hidden: readonly Event['type'][];
  /** Of its own events; what happens to every document is known. */
  history: Partial<Record<Event['type'], HistoryType>>;
  /** The events that give it its number. */
  numbered: readonly Event['type'][];
  /** What else an event is, of which the resource shows less. */
  entry?(event: Event, state: Shown): Pick<DocumentEntry, 'payment'>;
  /** The events that ask for its number. */
  numberRequested: readonly Event['type'][];
  /** The series of the corrective by which it is voided, where its authority annuls nothing. */
  reversalSeries: SeriesKind;
  /** What a caller can do whose document takes no more events. */
  instead: string;
}
