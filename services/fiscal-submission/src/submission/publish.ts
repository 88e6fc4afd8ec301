import { enveloped, topics, type PublicEvent } from '@svc/contracts/events/envelope';
import {
  CancellationRefusedV1,
  DocumentCancelledV1,
  DocumentDelayedV1,
  DocumentRegisteredV1,
  DocumentRejectedV1,
} from '@svc/contracts/registration/outcome';
import type { EventBus } from '@svc/event-bus';
import { fromStored, NOTHING } from '@svc/event-bus/publishing/publication';
import type { RelayOptions } from '@svc/event-bus/publishing/relay';
import { versionAt, type Recorded, type Streams } from '@svc/kernel';
import type { SubmissionEvent } from './domain/events.ts';
import { decode } from './stored-events.ts';
import { CATEGORY } from './streams.ts';

interface Publication {
  type: string;
  at: string;
  data: { document_id: string; [field: string]: unknown };
}

const SOURCE = 'fiscal-submission';

/** The options of the relay that publishes outcomes on `fiscal.registration`. Publishing an event again gives the same bytes. */
export const relayOptions = (bus: Pick<EventBus, 'publish' | 'letters'>, store: Pick<Streams, 'read'>): RelayOptions => ({
  ...{ group: `${SOURCE}.publishing`, letters: bus.letters, store, publish: bus.publish.bind(bus) },
  async publicationsOf(recorded) {
    if (!recorded.stream.startsWith(CATEGORY)) return NOTHING;
    const event = fromStored(() => publicEvent(recorded));
    return event ? { said: [{ topic: topics.fiscalRegistration, event }], bytes: recorded.bytes } : NOTHING;
  },
});

/** The public event of a stored event; undefined for private ones. Throws `UnknownEvent`. */
export function publicEvent(recorded: Recorded): PublicEvent | undefined {
  const publication = publicationOf(decode(recorded));
  if (!publication) return undefined;
  const { id: uid, revision, metadata } = recorded;
  const { type, at: time, data } = publication;
  return enveloped(metadata, { uid, source: SOURCE, type, subject: data.document_id, time, sequence: versionAt(revision), data });
}

function publicationOf(event: SubmissionEvent): Publication | undefined {
  switch (event.type) {
    case 'SubmissionOpened':
    case 'RecordPrepared':
    case 'AttemptStarted':
    case 'CancellationRequested':
      return undefined;
    case 'AttemptEnded': {
      const { delayed, n, at, error, next_attempt_at } = event.data;
      if (!delayed) return undefined;
      const doubt = { status: 'unknown', error: error && { ...error, fixable: null }, attempts: n, last_attempt_at: at, next_attempt_at };
      return { type: DocumentDelayedV1.type, at, data: { ...delayed, ...doubt } };
    }
    case 'SubmissionRegistered': {
      const { at, warnings: _warnings, ...data } = event.data;
      return { type: DocumentRegisteredV1.type, at, data };
    }
    case 'SubmissionRejected': {
      const { at, ...data } = event.data;
      return { type: DocumentRejectedV1.type, at, data: { ...data, rejected_at: at } };
    }
    case 'ReviewRequired': {
      const { at, ...data } = event.data;
      return { type: DocumentDelayedV1.type, at, data: { ...data, status: 'needs_review', next_attempt_at: null } };
    }
    case 'CancellationRegistered': {
      const { at, round: _round, ...data } = event.data;
      return { type: DocumentCancelledV1.type, at, data };
    }
    case 'CancellationRefused': {
      const { at, round: _round, ...data } = event.data;
      return { type: CancellationRefusedV1.type, at, data: { ...data, refused_at: at } };
    }
    default:
      return event satisfies never;
  }
}
