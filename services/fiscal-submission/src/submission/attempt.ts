import { SpanKind } from '@opentelemetry/api';
import { iso, toUuid, type Env, type EventMetadata } from '@svc/kernel';
import { answeredWith, clientAttributes, currentTraceparent, inSpan } from '@svc/service';
import type { Authority } from './authority.ts';
import { observeClock } from '../sending/clock-difference.ts';
import { type Http, withClient, withHeaders } from '../sending/http.ts';
import type { Context } from './context.ts';
import { INTERRUPTED, NOT_SENT, type AttemptKind, type Opened, type Result } from './domain/facts.ts';
import { isPutOff, unstoredAbsence } from './domain/end-attempt.ts';
import { firstSending } from './domain/first-sending.ts';
import type { AttemptEnded } from './domain/outcome.ts';
import { waitFor } from './domain/next-step.ts';
import { MAX_STORED_ATTEMPTS, type Calling } from './domain/state.ts';
import type { Permit } from './keyed-queues.ts';
import { messageOf, type Outgoing, oursIn, outgoingOf } from './outgoing.ts';
import { isAnswer, isOfAll, isTaken, send, type Reply } from './send.ts';
import { attemptsTotal, authoritySeconds } from './metrics.ts';
import { ATTEMPT_MS } from './row.ts';
import { keepReceived, keepSent, sentBytes, sha256 } from './wire-log.ts';

/** The submission that a step works on: its stream, tenant and authority. */
export interface Target {
  stream: string;
  env: Env;
  account: string;
  authority: Authority;
}

export interface Attempted {
  /** Milliseconds since 1970 before which no further attempt is made; null: continue at once. */
  waitUntil: number | null;
  /** The authority responded, with whatever outcome; null: it was not asked, since there is no certificate or another process asks. */
  answered: boolean | null;
  /** It takes no message of any document now. */
  ofAll?: boolean;
  /** It has judged the message. */
  taken?: boolean;
  /** The authority does not know the document; not stored, valid for the next call only. */
  absence: AttemptEnded | null;
}

/** An attempt that is counted but not stored: its number, and the unstored absence that the previous call reported. */
export interface UnstoredAttempt {
  n: number;
  absence: AttemptEnded | null;
}

/**
 * Makes one call. Its start is stored before the first byte is sent, its end together with the outcome. Returns undefined when the
 * submission has moved on and the call is no longer needed.
 * @param beyond null where the attempt is stored
 * @param permit released when the response has arrived; where records are chained, the outcome is stored before the next is sent
 */
export async function attempt(
  context: Context,
  target: Target,
  state: Calling,
  kind: AttemptKind,
  beyond: UnstoredAttempt | null,
  permit: Permit,
): Promise<Attempted | undefined> {
  const { submissions, clock, ids, wireLog, stored } = context;
  const metadata = metadataOf(target, state);
  const id = toUuid(ids.next());
  const startedAt = clock.now();
  const at = iso(startedAt);
  const rendered = messageOf(target.authority, state, kind, {
    taxpayer: `${target.env}.${target.account}`,
    id,
    sentAt: at,
    repeated: state.attemptCount > 0,
    ...firstSending(state),
  });
  const outgoing = await outgoingOf(context, target, rendered);
  const { message, unsent } = outgoing;
  const n = beyond?.n ?? state.attemptCount + 1;
  const { document_id } = state;
  const isRequested = isFirstOfRequest(state, kind);
  if (beyond === null) {
    const start = {
      do: 'start_attempt' as const,
      ...{ n, round: state.round },
      kind,
      message_id: id,
      request_sha256: sha256(sentBytes(message)),
      at,
    };
    const [started, kept] = await Promise.all([
      submissions.handle(target.stream, () => start, metadata),
      unsent ? 0 : keepSent(wireLog, { document_id, message, at }),
    ]);
    if (isRequested) stored.add(target.account, kept);
    if (started.events.length === 0) return undefined;
  }
  const notSent = unsent ?? (clock.now() < startedAt + ATTEMPT_MS ? undefined : stoodStill);
  const reply = repeatable(kind, notSent ?? (await call(context, target, state, outgoing)));
  if (!target.authority.needs.chain) permit.release();
  const now = clock.now();
  const ended = {
    n,
    kind,
    can_query: target.authority.needs.query,
    absence: beyond?.absence ?? null,
    result: reply.result,
    duration_ms: now - startedAt,
    http_status: reply.status,
    response_sha256: reply.received && sha256(reply.received),
    next_attempt_at: null,
    at: iso(now),
  };
  const wait = waitFor(target.env, n > MAX_STORED_ATTEMPTS ? n : state.failures + 1, reply.result) / context.timeScale;
  const waitUntil = isPutOff(ended, state) ? now + wait : null;
  const end = { ...ended, do: 'end_attempt' as const, next_attempt_at: waitUntil === null ? null : iso(waitUntil) };
  const [, kept] = await Promise.all([
    submissions.handle(target.stream, () => end, metadata),
    beyond === null && reply.received ? keepReceived(wireLog, { document_id, message, at: end.at }, reply, reply.received) : 0,
  ]);
  if (isRequested) stored.add(target.account, kept);
  const answered = notSent ? null : isAnswer(reply.result);
  const said = { answered, ofAll: isOfAll(reply.result, reply), taken: isTaken(kind, reply.result) };
  return { waitUntil, ...said, absence: unstoredAbsence(ended, state) };
}

/** Of the attempts that follow from one request the first counts for the account's storage: the others are for the authority, or this service. */
export const isFirstOfRequest = ({ attempts, round }: Calling, kind: AttemptKind): boolean =>
  !attempts.some((one) => one.round === round && one.kind === kind);

/** Between the start of an attempt and its call so much time has passed that another process may have given it up, and gone on. */
const stoodStill: Reply = {
  result: { kind: 'deferred', error: { code: NOT_SENT, message: 'The service stood still before the call: nothing was sent.' } },
  ...{ status: null, received: null, times: [] },
};

/** The opening of a till is asked for again where it is not known: that does no harm, and says nothing of the document. */
const repeatable = (kind: AttemptKind, reply: Reply): Reply =>
  kind === 'deposit' && reply.result.kind === 'unknown' ? { ...reply, result: { ...reply.result, kind: 'deferred' } } : reply;

/** Ends an attempt as `unknown` when its process died during the call. */
export async function giveUpAttempt({ submissions, clock }: Context, target: Target, state: Calling, n: number): Promise<void> {
  const at = iso(clock.now());
  const error = { code: INTERRUPTED, message: 'The service stopped before the answer came.' };
  const kind = state.attempts.find((started) => started.n === n)?.kind ?? (state.status === 'cancelling' ? 'cancel' : 'submit');
  const result: Result = { kind: kind === 'deposit' ? 'deferred' : 'unknown', error };
  const facts = { absence: null, duration_ms: 0, http_status: null, response_sha256: null, next_attempt_at: at, at };
  const end = { do: 'end_attempt' as const, n, kind, can_query: target.authority.needs.query, result, ...facts };
  await submissions.handle(target.stream, () => end, metadataOf(target, state));
}

export const metadataOf = ({ account, env }: Target, { traceparent }: Pick<Opened, 'traceparent'>): Omit<EventMetadata, 'v'> => ({
  account,
  env,
  actor: { type: 'system', id: 'fiscal-submission' },
  ...(traceparent === null ? {} : { traceparent }),
});

/** The simulation that a test document's metadata requests, sent as a header; adapters do not see it. */
export function simulateOf({ env, authority }: Target, state: Calling): string | undefined {
  if (env !== 'test' || !authority.isSimulated) return undefined;
  if (state.status === 'amending') return undefined;
  const simulate = state.status === 'cancelling' ? state.cancellation.simulate : state.simulate;
  return simulate === null ? undefined : Buffer.from(simulate, 'utf8').toString('latin1');
}

function call(context: Context, target: Target, state: Calling, { message, client }: Outgoing): Promise<Reply> {
  const { authority } = target;
  const attributes = { 'svc.authority': authority.id, 'svc.document': state.document_id, 'svc.attempt.kind': message.kind };
  const about = { service: 'fiscal-submission', traceparent: state.traceparent ?? undefined, attributes, kind: SpanKind.CLIENT };
  return inSpan('POST authority', about, async (span) => {
    const traced: Http = (request) => {
      span.setAttributes(clientAttributes(request.method, request.url));
      return context.http(request);
    };
    const http = withHeaders(withClient(traced, client), {
      traceparent: currentTraceparent() ?? state.traceparent ?? undefined,
      'x-simulate': simulateOf(target, state),
    });
    const startedAt = context.clock.now();
    const reply = await send(authority, message, oursIn(state), http);
    const now = context.clock.now();
    const aheadMs = observeClock(target, { startedAt, now, times: reply.times });
    authoritySeconds.observe({ authority: authority.id, env: target.env }, (now - startedAt) / 1000);
    attemptsTotal.inc({ authority: authority.id, outcome: reply.result.kind });
    answeredWith(span, reply.status);
    span.setAttribute('svc.verdict', reply.result.kind);
    return { ...reply, aheadMs };
  });
}
