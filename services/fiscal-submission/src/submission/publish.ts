import {
  CancellationRefusedV1,
  DocumentCancelledV1,
  DocumentDelayedV1,
  DocumentRegisteredV1,
  DocumentRejectedV1,
  topics,
  type PublicEvent,
} from '@svc/contracts/events/index';
import type { EventBus } from '@svc/event-bus';
import { prefixed, versionAt, type Recorded } from '@svc/kernel';
import type { SubmissionEvent } from './domain/events.ts';
import { decode } from './stored-events.ts';
import { CATEGORY } from './streams.ts';

interface Publication {
  type: string;
  at: string;
  data: { document_id: string; [field: string]: unknown };
}

/** The relay's handler: tells on `fiscal.registration` what became of documents. Told again, it is the same bytes. */
export const relayTo =
  (bus: Pick<EventBus, 'publish'>) =>
  async (events: Recorded[]): Promise<void> => {
    const told = events
      .filter(({ stream }) => stream.startsWith(CATEGORY))
      .flatMap((recorded) => {
        const event = publicEvent(recorded);
        return event ? [{ event, position: recorded.position }] : [];
      });
    if (told.length === 0) return;
    await bus.publish(
      topics.fiscalRegistration,
      told.map(({ event }) => event),
      told.map(({ position }) => position),
    );
  };

/** What one stored event says outside; undefined for what stays private. Throws on an event that this release does not know. */
export function publicEvent(recorded: Recorded): PublicEvent | undefined {
  const publication = publicationOf(decode(recorded));
  if (!publication) return undefined;
  const { id, revision, metadata } = recorded;
  return {
    specversion: '1.0',
    id: prefixed('evt', id),
    source: 'fiscal-submission',
    type: publication.type,
    subject: publication.data.document_id,
    time: publication.at,
    datacontenttype: 'application/json',
    env: metadata.env,
    account: metadata.account,
    sequence: versionAt(revision),
    ...(metadata.traceparent === undefined ? {} : { traceparent: metadata.traceparent }),
    data: publication.data,
  };
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
