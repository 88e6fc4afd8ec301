import type { DocumentEventType } from '@svc/contracts/documents';
import { documentTopics, topics } from '@svc/contracts/events/envelope';
import { CancellationRequestedV1, RegistrationRequestedV1 } from '@svc/contracts/registration/requested';
import type { Publication, Publisher } from '@svc/event-bus/publishing/publisher';
import { madeAfter, versionAt, type DomainEvent } from '@svc/kernel';
import type { DocumentDefinition } from './definition.ts';
import { isFiscalEvent, fiscalEvent } from './domain/events.ts';
import { isBeingCancelled } from './domain/outcome.ts';
import { isNumbered, type NumberedDocument } from './domain/state.ts';
import { entryOf } from './history.ts';

interface Published<Event extends DomainEvent> {
  /** The public type of an event that has none of its own. */
  updated: DocumentEventType;
  types: Partial<Record<Event['type'], DocumentEventType>>;
  /** Events after which the authority is to register the document. */
  registers: readonly Event['type'][];
}

/** Publishes the resource as of each event, and what fiscal submission is to do about it. */
export function documentPublisher<State extends object, Shown extends State, Event extends DomainEvent, Resource extends object>(
  definition: DocumentDefinition<State, Shown, never, Event, Resource>,
  { updated, types, registers }: Published<Event>,
): Publisher<State | null> {
  const { name, eventName, decider, events, eventsBefore, hidden, isShown, resource } = definition;

  function toAuthority(event: Event, state: Shown, document: object): Publication[] {
    if (!isNumbered(state)) return [];
    const of = { document_id: state.id, kind: name };
    if (registers.includes(event.type as Event['type'])) {
      const { round, issue, content, parties } = state;
      const late_reason = 'late_reason' in state ? (state.late_reason ?? null) : null;
      const original = 'corrected' in state ? { original: state.corrected } : {};
      const { authority } = parties.issuer;
      const numbered = { ...issue, series: content.series, issue_date: issue.issue_date ?? content.issue_date };
      const data = { ...of, round, authority, ...numbered, document, ...parties, simulate: simulate(state), late_reason, ...original };
      return [{ topic: topics.registration, type: RegistrationRequestedV1.type, data }];
    }
    if (!isLastBeforeCancellation(eventName, event) || !isBeingCancelled(state)) return [];
    const { reason, requested_at } = state.void;
    const { authority } = state.fiscal;
    const { number } = state.issue;
    const data = { ...of, authority, number, reason, requested_at, document, issuer: state.parties.issuer, simulate: simulate(state) };
    return [{ topic: topics.registration, type: CancellationRequestedV1.type, data }];
  }

  return {
    category: name,
    topics: [documentTopics[name], topics.registration],
    initialState: null,
    evolve: (state, recorded) => decider.evolve(state, events.decode(recorded)),
    publish(recorded, state) {
      const event = events.decode(recorded);
      if (hidden.includes(event.type as Event['type']) || !isShown(state)) return [];
      const type = types[event.type as Event['type']] ?? updated;
      const document = madeAfter(recorded, () => resource(state, versionAt(recorded.revision) - eventsBefore));
      const entry = entryOf(definition, recorded, { event, state });
      return [{ topic: documentTopics[name], type, data: document, entry }, ...toAuthority(event, state, document)];
    },
  };
}

/** A cancellation is requested when the document is registered and voiding is requested, whichever comes last. */
const isLastBeforeCancellation = (eventName: string, event: { type: string; data: object }): boolean =>
  isFiscalEvent(eventName, event) && ['VoidRequested', 'Registered'].includes(fiscalEvent(eventName, event).type);

/** Of a test document alone: in a live one it is plain metadata. */
const simulate = ({ livemode, content }: NumberedDocument): string | null => (livemode ? null : (content.metadata['simulate'] ?? null));
