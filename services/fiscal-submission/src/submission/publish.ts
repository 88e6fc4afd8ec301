import { type SettingChange, SettingChangedV1, type SettingVerb } from '@svc/contracts/audit/setting-changed';
import { topics } from '@svc/contracts/events/envelope';
import {
  CancellationRefusedV1,
  DocumentAmendedV1,
  DocumentCancelledV1,
  DocumentDelayedV1,
  DocumentPreparedV1,
  DocumentRegisteredV1,
  DocumentRejectedV1,
} from '@svc/contracts/registration/outcome';
import type { Publication, Publisher } from '@svc/event-bus/publishing/publisher';
import { idOf, type Recorded } from '@svc/kernel';
import { changeOfEvent } from '@svc/service';
import { submissionEvents, type SubmissionEvent } from './domain/events.ts';
import { CATEGORY } from './submissions.ts';

/** Who an operator's commands are by. */
export const OPERATOR = { type: 'system', id: 'operator' } as const;

/** The outcome of each submission, on `fiscal.registration`. Each event says all that is published of it, so no state is folded. */
export const submissionPublisher: Publisher<null> = {
  category: CATEGORY,
  topics: [topics.fiscalRegistration, topics.setting],
  initialState: null,
  evolve: () => null,
  isWhole: () => true,
  publish(recorded) {
    const event = submissionEvents.decode(recorded);
    const publication = publicationOf(event);
    return [...(publication ? [{ topic: topics.fiscalRegistration, ...publication }] : []), ...auditedOf(recorded, event)];
  },
};

function publicationOf(event: SubmissionEvent): Omit<Publication, 'topic'> | undefined {
  switch (event.type) {
    case 'SubmissionOpened':
    case 'RecordLinked':
    case 'AttemptStarted':
    case 'DoubtResolved':
    case 'CancellationRequested':
    case 'CancellationPrepared':
    case 'AmendmentRequested':
    case 'AmendmentPrepared':
    case 'AmendmentRefused':
      return undefined;
    case 'RecordPrepared': {
      const { news, at, issuer_code, verification_url, round: _round } = event.data;
      if (!news) return undefined;
      return { type: DocumentPreparedV1.type, data: { ...news, issuer_code, verification_url, prepared_at: at } };
    }
    case 'PreparationHeld': {
      const { fixable, error, attempts, at, next_attempt_at, ...of } = event.data;
      const facts = { attempts, last_attempt_at: null, next_attempt_at };
      return { type: DocumentDelayedV1.type, data: { ...of, error: { ...error, fixable }, ...facts } };
    }
    case 'AttemptEnded': {
      const { delayed, news, n, at, error, next_attempt_at } = event.data;
      // until 0.3: `delayed` without `news` was stored before 0.2
      const published = news ?? (delayed && { ...delayed, status: 'unknown', fixable: null });
      if (!published) return undefined;
      const { fixable, ...of } = published;
      const facts = { attempts: n, last_attempt_at: at, next_attempt_at };
      return { type: DocumentDelayedV1.type, data: { ...of, error: error && { ...error, fixable }, ...facts } };
    }
    case 'SubmissionRegistered': {
      const { at, warnings: _warnings, warned: warnings, ...data } = event.data;
      return { type: DocumentRegisteredV1.type, data: { ...data, ...(warnings && { warnings }) } };
    }
    case 'AmendmentRegistered': {
      const { at: amended_at, warned: warnings, document_id, kind, authority, round, attempts, last_attempt_at } = event.data;
      const of = { document_id, kind, authority, round, attempts, last_attempt_at };
      return { type: DocumentAmendedV1.type, data: { ...of, amended_at, ...(warnings && { warnings }) } };
    }
    case 'SubmissionRejected': {
      const { at, ...data } = event.data;
      return { type: DocumentRejectedV1.type, data: { ...data, rejected_at: at } };
    }
    case 'ReviewRequired': {
      const { at, ...data } = event.data;
      return { type: DocumentDelayedV1.type, data: { ...data, status: 'needs_review', next_attempt_at: null } };
    }
    case 'CancellationRegistered': {
      const { at, round: _round, ...data } = event.data;
      return { type: DocumentCancelledV1.type, data };
    }
    case 'CancellationRefused': {
      const { at, round: _round, ...data } = event.data;
      return { type: CancellationRefusedV1.type, data: { ...data, refused_at: at } };
    }
    default:
      return event satisfies never;
  }
}

/** What a person has done to a document: ended a doubt, given a record up, had one sent anew. The note of the first may name persons: it stays in the event. */
function auditedOf(recorded: Recorded, event: SubmissionEvent): Publication[] {
  if (event.type === 'DoubtResolved') return [audited(recorded, 'resolved', { outcome: { from: null, to: event.data.outcome } })];
  if (recorded.metadata.actor?.id !== OPERATOR.id) return [];
  switch (event.type) {
    case 'SubmissionRejected':
    case 'CancellationRefused':
    case 'AmendmentRefused':
      return [audited(recorded, 'given_up', { code: { from: null, to: event.data.error.code } })];
    case 'AmendmentRequested':
      return [audited(recorded, 'amended', {})];
    default:
      return [];
  }
}

/** How the audit names a document. */
export const documentAudited = (id: string) =>
  ({ type: id.startsWith('rcp_') ? 'receipt' : 'invoice', target: { id, name: null } }) as const;

function audited(recorded: Recorded, verb: SettingVerb, changes: SettingChange['changes']): Publication {
  const change = { ...documentAudited(idOf(recorded.stream)), verb, changes };
  return { topic: topics.setting, type: SettingChangedV1.type, data: changeOfEvent(recorded, change, 'fiscal-submission') };
}
