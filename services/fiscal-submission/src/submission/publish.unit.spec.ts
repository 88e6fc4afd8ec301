import { parseEvent } from '@svc/contracts/testing/parse';
import { publicEvents, publicationsFrom } from '@svc/event-bus/publishing/publication';
import { UnknownEvent, type Recorded } from '@svc/kernel';
import type { SubmissionEvent } from './domain/events.ts';
import { submissionPublisher } from './publish.ts';

const AT = '2026-03-01T10:00:00.000Z';
const about = { document_id: 'inv_1', kind: 'invoice' as const, round: 2, authority: 'sandbox' };
const facts = { ...about, attempts: 3, last_attempt_at: AT, at: AT };
const ending = { n: 3, verdict: 'unknown' as const, duration_ms: 1, http_status: null, response_sha256: null, next_attempt_at: AT, at: AT };

const recorded = ({ type, data }: SubmissionEvent): Recorded => ({
  id: '01hqx0000000000000000000aa',
  stream: 'submission-test.acct_1.inv_1',
  revision: 4n,
  recordedAt: 0,
  bytes: 0,
  position: 9n,
  type,
  data,
  metadata: { v: 1, account: 'acct_1', env: 'test', traceparent: '00-1-2-01' },
});
/** The public event, checked against its contract. */
const published = (event: SubmissionEvent) => {
  const [made] = publicEvents('fiscal-submission', recorded(event), submissionPublisher.publish(recorded(event), null));
  return made && parseEvent(JSON.stringify(made));
};

test('publishes a registration with the whole envelope', () => {
  const registration = { code: 'FIC', issuer_code: 'IC', registered_at: AT, verification_url: 'http://v', late: false };
  const event = published({ type: 'SubmissionRegistered', data: { ...registration, warnings: ['W'], ...facts } });
  const { at: _at, ...rest } = facts;
  expect(event).toEqual({
    specversion: '1.0',
    id: 'evt_01hqx0000000000000000000aa',
    source: 'fiscal-submission',
    type: 'fiscal.document-registered.v1',
    subject: 'inv_1',
    time: AT,
    datacontenttype: 'application/json',
    env: 'test',
    account: 'acct_1',
    sequence: 5,
    traceparent: '00-1-2-01',
    data: { ...rest, ...registration },
  });
});

test.each<[string, SubmissionEvent, object]>([
  [
    'fiscal.document-rejected.v1',
    { type: 'SubmissionRejected', data: { error: { code: 'E', message: 'm', fixable: 'data' }, ...facts } },
    { ...about, error: { code: 'E', message: 'm', fixable: 'data' }, rejected_at: AT, attempts: 3, last_attempt_at: AT },
  ],
  [
    'fiscal.document-amended.v1',
    {
      type: 'AmendmentRegistered',
      data: { amendment: 1, code: 'CSV-2', registered_at: AT, warnings: ['2004'], warned: [{ code: '2004', message: 'late' }], ...facts },
    },
    { ...about, amended_at: AT, attempts: 3, last_attempt_at: AT, warnings: [{ code: '2004', message: 'late' }] },
  ],
  [
    'fiscal.document-delayed.v1',
    { type: 'AttemptEnded', data: { ...ending, error: { code: 'no_answer', message: 'm' }, delayed: about } },
    {
      ...about,
      status: 'unknown',
      error: { code: 'no_answer', message: 'm', fixable: null },
      attempts: 3,
      last_attempt_at: AT,
      next_attempt_at: AT,
    },
  ],
  [
    'fiscal.document-delayed.v1',
    { type: 'ReviewRequired', data: { error: { code: 'F', message: 'm', fixable: 'setup' }, ...facts } },
    {
      ...about,
      status: 'needs_review',
      error: { code: 'F', message: 'm', fixable: 'setup' },
      attempts: 3,
      last_attempt_at: AT,
      next_attempt_at: null,
    },
  ],
  [
    'fiscal.document-cancelled.v1',
    { type: 'CancellationRegistered', data: { cancelled_at: AT, cancellation: 5, ...facts } },
    { document_id: 'inv_1', kind: 'invoice', authority: 'sandbox', cancellation: 5, cancelled_at: AT, attempts: 3, last_attempt_at: AT },
  ],
  [
    'fiscal.cancellation-refused.v1',
    { type: 'CancellationRefused', data: { error: { code: 'E', message: 'm' }, cancellation: 5, ...facts } },
    {
      document_id: 'inv_1',
      kind: 'invoice',
      authority: 'sandbox',
      error: { code: 'E', message: 'm' },
      cancellation: 5,
      refused_at: AT,
      attempts: 3,
      last_attempt_at: AT,
    },
  ],
])('%s', (type, event, data) => {
  expect(published(event)).toMatchObject({ type, subject: 'inv_1' });
  expect(published(event)?.data).toEqual(data);
});

test('publishes nothing of attempts without a change', () => {
  expect(published({ type: 'AttemptEnded', data: { ...ending, error: null, delayed: null } })).toBeUndefined();
});

test('the relay skips events of other services, and cannot publish unknown ones, which wait for a later release', async () => {
  const { of: publicationsOf } = publicationsFrom({
    source: 'fiscal-submission',
    store: { read: async () => [] },
    publishers: [submissionPublisher as never],
  });
  const rejected = recorded({ type: 'SubmissionRejected', data: { error: { code: 'E', message: 'm', fixable: 'data' }, ...facts } });
  expect(await publicationsOf({ ...rejected, stream: 'invoice-test.acct_1.inv_1', type: 'InvoiceCreated' })).toEqual({
    events: [],
    bytes: 0,
  });
  const events = [{ topic: 'fiscal.registration', event: { subject: 'inv_1' } }];
  expect(await publicationsOf({ ...rejected, bytes: 70 })).toMatchObject({ events, bytes: 70 });
  for (const unknown of [
    { ...rejected, type: 'SomethingNew' },
    { ...rejected, metadata: { ...rejected.metadata, v: 2 } },
  ])
    await expect(publicationsOf(unknown)).rejects.toMatchObject({ name: 'CannotPublish', cause: expect.any(UnknownEvent) });
});

test('what an operator gives up or has sent anew is in the audit too', () => {
  const actor = { type: 'system', id: 'operator' } as const;
  const byOperator = (event: SubmissionEvent) => {
    const of = { ...recorded(event), metadata: { ...recorded(event).metadata, actor } };
    return publicEvents('fiscal-submission', of, submissionPublisher.publish(of, null)).map((made) => parseEvent(JSON.stringify(made)));
  };
  const error = { code: '1241', message: 'm', fixable: 'setup' as const };
  const [outcome, entry] = byOperator({ type: 'SubmissionRejected', data: { error, ...facts } });
  expect(outcome).toMatchObject({ type: 'fiscal.document-rejected.v1', id: 'evt_01hqx0000000000000000000aa' });
  expect(entry).toMatchObject({
    type: 'audit.setting-changed.v1',
    data: { action: 'invoice.given_up', target: { type: 'invoice', id: 'inv_1' }, actor: { id: 'operator' } },
  });
  const amendment = { amendment: 1, draft: '{}', seen: '0', at: AT };
  expect(byOperator({ type: 'AmendmentRequested', data: amendment })).toMatchObject([{ data: { action: 'invoice.amended' } }]);
  expect(published({ type: 'SubmissionRejected', data: { error, ...facts } })?.type).toBe('fiscal.document-rejected.v1');
});

test('that a doubt was ended by hand is in the audit, without the note', () => {
  const event = published({ type: 'DoubtResolved', data: { outcome: 'registered', code: 'FIC', note: 'Ana has called them', at: AT } });
  expect(event).toMatchObject({
    type: 'audit.setting-changed.v1',
    data: { action: 'invoice.resolved', target: { type: 'invoice', id: 'inv_1' } },
  });
  expect(JSON.stringify(event)).not.toContain('Ana');
});
