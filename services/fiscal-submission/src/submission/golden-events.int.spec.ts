import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import type { CancellationRequested, RegistrationRequested } from '@svc/contracts/registration/requested';
import { goldenEvents, goldenStreams, type GoldenStream } from '@svc/contracts/testing/golden';
import { parseEvent } from '@svc/contracts/testing/parse';
import type { Env } from '@svc/kernel';
import { NotSent } from '../sending/http.ts';
import { FiscalSystem } from '../testing/system.ts';
import { attemptEntry } from './attempts.ts';
import type { State } from './domain/state.ts';
import { readSubmission } from './submissions.ts';

const requests = goldenEvents(topics.registration);
const streams = goldenStreams('fiscal-submission', 'submission');

const system = new FiscalSystem({ simulatorUrl: 'http://127.0.0.1:1', http: () => Promise.reject(new NotSent('nothing listens')) });
afterAll(() => system.close());

type Known = Exclude<State, { status: 'none' }>;
async function stateOf(env: Env, account: string, id: string): Promise<Known> {
  const state = await readSubmission(system.fiscal.context.streams, env, account, id);
  if (state.status === 'none') throw new Error(`${id} has no submission`);
  return state;
}

describe('requests of invoicing', () => {
  const ofType = (name: string): PublicEvent[] => requests.filter(({ type }) => type === `invoicing.${name}.v1`);
  const registrations = ofType('registration-requested') as PublicEvent<RegistrationRequested>[];
  const cancellations = ofType('cancellation-requested') as PublicEvent<CancellationRequested>[];

  test('there is a golden event of each', () => {
    expect([registrations.length > 0, cancellations.length > 0]).toEqual([true, true]);
  });

  test.each(registrations.map((event) => [event.data.number, event] as const))('%s: its record is prepared', async (number, event) => {
    await system.consumer.on([event]);
    const { account, env, subject, data } = event;
    const state = await stateOf(env, account, subject);
    expect(state).toMatchObject({
      kind: data.kind,
      round: data.round,
      authority: data.authority,
      number,
      issuer_tax_id: data.issuer.tax_id,
    });
    const { prepared } = state as Known & { prepared: { record: string; sha256: string } };
    expect(JSON.parse(prepared.record)).toMatchObject({ document_number: number });
    expect(prepared.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each(cancellations.map((event) => [event.data.number, event] as const))('%s: its cancellation is kept', async (number, event) => {
    const [registration] = registrations as [PublicEvent<RegistrationRequested>];
    const { account, env, subject } = event;
    const data = { ...registration.data, document_id: subject, kind: event.data.kind, number };
    await system.consumer.on([{ ...registration, id: `${event.id}0`, account, env, subject, data }, event]);
    expect(await stateOf(env, account, subject)).toMatchObject({
      number,
      cancellation: { reason: event.data.reason, sequence: event.sequence, simulate: event.data.simulate },
    });
  });
});

describe.each(streams.map((golden) => [golden.events.map(({ type }) => type).join(' '), golden] as const))('%s', (_types, golden) => {
  const { stream, events } = golden;
  const [head = '', account = '', id = ''] = stream.split('.');
  const env = head.split('-')[1] as Env;
  let state: Known;
  beforeAll(async () => {
    await system.fiscal.context.streams.append(stream, 'none', events);
    state = await stateOf(env, account, id);
  });

  const dataOf = (type: string): Record<string, unknown> | undefined => events.findLast((event) => event.type === type)?.data as never;

  test('is in the state that its last outcome says', () => {
    const opened = dataOf('SubmissionOpened');
    expect(state).toMatchObject({ document_id: opened?.['document_id'], number: opened?.['number'], round: opened?.['round'] });
    expect(state.status).toBe(statusAfter(golden));
    const code = dataOf('SubmissionRegistered')?.['code'];
    if ('registration' in state) expect(state.registration.code).toBe(code);
    if (state.status === 'rejected') expect(state.error).toEqual(dataOf('SubmissionRejected')?.['error']);
  });

  test('shows every attempt', () => {
    const started = events.filter(({ type }) => type === 'AttemptStarted').map(({ data }) => data as { n: number; kind: string });
    expect(state.attempts.map(attemptEntry)).toMatchObject(started.map(({ n, kind }) => ({ n, kind })));
  });

  test('publishes each outcome, in today’s form', async () => {
    const outcomes = events.flatMap(({ type }) => published[type] ?? []);
    for (const type of outcomes) expect(parseEvent(JSON.stringify(await system.publishedEvent(type, id)))).toMatchObject({ account, env });
  });
});

/** The public event of each outcome. */
const published: Record<string, string> = {
  SubmissionRegistered: 'fiscal.document-registered.v1',
  SubmissionRejected: 'fiscal.document-rejected.v1',
  ReviewRequired: 'fiscal.document-delayed.v1',
  CancellationRegistered: 'fiscal.document-cancelled.v1',
  CancellationRefused: 'fiscal.cancellation-refused.v1',
};

const statuses: Record<string, State['status']> = {
  PreparationHeld: 'opened',
  SubmissionRegistered: 'registered',
  SubmissionRejected: 'rejected',
  ReviewRequired: 'needs_review',
  CancellationRequested: 'cancelling',
  CancellationRegistered: 'cancelled',
  CancellationRefused: 'registered',
};

function statusAfter({ events }: GoldenStream): State['status'] {
  const last = events.findLast(({ type }) => type in statuses);
  if (last) return statuses[last.type] ?? 'none';
  const verdict = events.findLast(({ type }) => type === 'AttemptEnded')?.data as { verdict: string } | undefined;
  return verdict?.verdict === 'unknown' ? 'unknown' : 'pending';
}
