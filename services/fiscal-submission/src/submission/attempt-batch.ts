import { iso, toUuid } from '@svc/kernel';
import { chainEvents } from '../chain/chains.ts';
import { type Attempted, isFirstOfRequest, type Target, metadataOf, simulateOf } from './attempt.ts';
import type { Batch } from './authority.ts';
import { alertOf, blamed, isJudged } from './blame.ts';
import { leaveChain, mostOf, ownerOf, setPace, takeChain, type Said } from './chain-pace.ts';
import type { Context } from './context.ts';
import { isLostSince } from './domain/after-restore.ts';
import { isPutOff } from './domain/end-attempt.ts';
import { NOT_SENT, REFUSED_TOGETHER, type Result } from './domain/facts.ts';
import { waitFor } from './domain/next-step.ts';
import type { Calling } from './domain/state.ts';
import { attemptsTotal, authoritySeconds } from './metrics.ts';
import { observeClock } from '../sending/clock-difference.ts';
import { withClient, withHeaders } from '../sending/http.ts';
import { outgoingOf, type Outgoing } from './outgoing.ts';
import { oursOf, resendable, type Sendable, sendableOf } from './sendable.ts';
import { isAnswer, isOfAll, isTaken, sendBatch } from './send.ts';
import { ATTEMPT_MS } from './row.ts';
import { submissionStream } from './submissions.ts';
import { keepReceived, keepSent, sentBytes, sha256 } from './wire-log.ts';

/** How long a sending waits whose records another process has begun to send, in milliseconds. */
const RACED_MS = 1_000;

/** Failures in a row, with answers that cannot be trusted, after which a sending of several records is halved: one of them may be the cause. */
const HALVED_AFTER = 3;

interface Asked {
  chain: string;
  first: Sendable;
  /** What the records of one sending have in common. */
  group: (of: Sendable) => string;
  /** ISO 8601 */
  now: string;
}

/** The records behind the first one that can be sent with it: consecutive in its chain, of one group, each of them whole and due. */
async function nextRecords(
  { streams, submissions, paces, restoredAt }: Context,
  target: Target,
  { chain, first, group, now }: Asked,
): Promise<Sendable[]> {
  const { authority, env, account } = target;
  const found: Sendable[] = [];
  const most = await mostOf({ paces }, chain, authority.needs.batch);
  if (most === 1) return [];
  const recorded = await streams.read(chain, BigInt(first.link.position), most - 1);
  for (const { data } of recorded.map(chainEvents.decode)) {
    const { state } = await submissions.load(submissionStream(env, account, data.document));
    if (restoredAt !== undefined && isLostSince(state, restoredAt)) break;
    const sendable = sendableOf(state, authority.needs, now) ?? resendable(state, first, { now, since: restoredAt ?? '' });
    if (sendable?.link.position !== data.position || group(sendable) !== group(first)) break;
    found.push(sendable);
  }
  return found;
}

/**
 * Sends a record with those that follow it in its chain, as one message. Every start is stored before the first byte is sent, every end with its outcome. Where
 * another process sends records of the chain, or has begun with one of these, nothing is sent. Returns what became of the first.
 */
export async function attemptBatch(
  context: Context,
  target: Target,
  { chain, first, batch }: { chain: string; first: Sendable; batch: Batch },
): Promise<Attempted> {
  const { clock, ids, wireLog, stored } = context;
  const startedAt = clock.now();
  const at = iso(startedAt);
  const place = { chain, position: first.link.position, batch: target.authority.needs.batch, of: ownerOf(target) };
  const until = await takeChain(context, place, startedAt).catch((error: unknown) => {
    context.logger.warn({ chain, err: error }, 'it was not stored that records of a chain are sent');
    return undefined;
  });
  if (until !== undefined) return { waitUntil: until, answered: null, absence: null };
  const group = ({ record, state }: Sendable): string => `${batch.group(record, at)} ${simulateOf(target, state) ?? ''}`;
  const records = [first, ...(await nextRecords(context, target, { chain, first, group, now: at }))];
  const id = toUuid(ids.next());
  const envelope = {
    taxpayer: `${target.env}.${target.account}`,
    id,
    sentAt: at,
    repeated: first.state.attemptCount > 0,
    firstSentAt: null,
  };
  const rendered = batch.render(
    records.map(({ record }) => record),
    envelope,
  );
  const outgoing = await outgoingOf(context, target, rendered);
  const { message } = outgoing;
  const { document_id } = first.state;
  const [sentBytesKept, ...started] = await Promise.all([
    outgoing.unsent ? 0 : keepSent(wireLog, { document_id, message, at }),
    ...records.map((one) => start(context, target, one, { message_id: id, request_sha256: sha256(sentBytes(message)), at })),
  ]);
  const isOurs = started.every(Boolean) && clock.now() < startedAt + ATTEMPT_MS;
  const answer = isOurs ? await sent(context, target, { batch, records, outgoing }) : raced(records.length);
  const next = nextSending(answer, first, records.length);
  const isSplit = next === 'narrower' && answer.refusedTogether === true;
  const results = isSplit
    ? records.map(() => refusedTogether(answer, records.length))
    : await blamed(context, target, { chain, records, results: answer.results });
  const reply = { ...answer, results };
  const now = clock.now();
  const ended = records.flatMap((one, n) => (started[n] ? [endOf(context, target, one, { reply, n, startedAt, now })] : []));
  const paced = async (): Promise<void> => {
    if (!isOurs) return leaveChain(context.paces, chain);
    await setPace(context.paces, chain, {
      ...{ next_at: now + (reply.waitMs ?? 0) / context.timeScale, said_at: now },
      sent: next === 'wider' ? (records.at(-1)?.link.position ?? 0) : 0,
      ...{ next, records: records.length, batch: target.authority.needs.batch },
      ...{ of: ownerOf(target), judged_at: judgedAt(ended, now) },
    });
  };
  const storeOutcomes = async (): Promise<void> => {
    // Before them: another process that sees one of them may send what is behind it. Without it that may come too soon, and outcomes are worth more.
    await paced().catch((error: unknown) =>
      context.logger.warn({ chain, err: error }, 'the wait that an authority asks for was not stored'),
    );
    await Promise.all(
      ended.map(({ state, end }) => context.submissions.handle(streamOf(target, state), () => end, metadataOf(target, state))),
    );
  };
  const [, answerKept] = await Promise.all([
    storeOutcomes(),
    reply.received ? keepReceived(wireLog, { document_id, message, at: iso(now) }, reply, reply.received) : 0,
  ]);
  if (isFirstOfRequest(first.state, first.kind)) stored.add(target.account, sentBytesKept + answerKept);
  for (const { state, end, isGivenUp } of ended) alertOf(context, target, { state, result: end.result, isGivenUp });
  const [result] = answer.results as [Result];
  const answered = outgoing.unsent || !isOurs ? null : isAnswer(result);
  const waitUntil = started[0] && !isSplit ? (ended[0]?.until ?? null) : now + RACED_MS / context.timeScale;
  return { waitUntil, answered, ofAll: isOfAll(result, reply), taken: isTaken(first.kind, result), absence: null };
}

const streamOf = ({ env, account }: Target, { document_id }: Calling): string => submissionStream(env, account, document_id);

/** Whether this process begins with the record. */
async function start(
  { submissions }: Context,
  target: Target,
  { state, kind }: Sendable,
  message: { message_id: string; request_sha256: string; at: string },
): Promise<boolean> {
  const command = { do: 'start_attempt' as const, n: state.attemptCount + 1, round: state.round, kind, ...message };
  return (await submissions.handle(streamOf(target, state), () => command, metadataOf(target, state))).events.length > 0;
}

type Sent = Awaited<ReturnType<typeof sendBatch>>;

async function sent(
  context: Context,
  target: Target,
  { batch, records, outgoing }: { batch: Batch; records: readonly Sendable[]; outgoing: Outgoing },
): Promise<Sent> {
  const { message, unsent, client } = outgoing;
  if (unsent) return { ...unsent, waitMs: null, results: records.map(() => unsent.result) };
  const [first] = records as [Sendable];
  const http = withHeaders(withClient(context.http, client), { 'x-simulate': simulateOf(target, first.state) });
  const startedAt = context.clock.now();
  const reply = await sendBatch(target.authority, batch, message, records.map(oursOf), http);
  const now = context.clock.now();
  const aheadMs = observeClock(target, { startedAt, now, times: reply.times });
  authoritySeconds.observe({ authority: target.authority.id, env: target.env }, (now - startedAt) / 1000);
  return { ...reply, aheadMs };
}

/** How the attempt of one record ends, and before when it is not sent again (milliseconds since 1970; null: at once). */
function endOf(
  { timeScale }: Context,
  { authority, env }: Target,
  { state, kind }: Sendable,
  { reply, n, startedAt, now }: { reply: Sent; n: number; startedAt: number; now: number },
) {
  const result = reply.results[n] as Result;
  attemptsTotal.inc({ authority: authority.id, outcome: result.kind });
  const facts = {
    ...{ n: state.attemptCount + 1, kind, can_query: authority.needs.query, absence: null, result },
    ...{ duration_ms: now - startedAt, http_status: reply.status, response_sha256: reply.received && sha256(reply.received) },
    ...{ next_attempt_at: null, at: iso(now) },
  };
  const wait = Math.max(RACED_MS, waitFor(env, state.failures + 1, result)) / timeScale;
  const until = isPutOff(facts, { ...state, open: facts.n }) ? now + wait : null;
  const isGivenUp = until === null && (result.kind === 'deferred' || ('ofRecord' in result && result.ofRecord === true));
  return { state, until, isGivenUp, end: { ...facts, do: 'end_attempt' as const, next_attempt_at: until === null ? null : iso(until) } };
}

/** What the answer says of the authority's judgments, as `setPace` takes it. */
function judgedAt(ended: readonly ReturnType<typeof endOf>[], now: number): number | null | undefined {
  if (ended.some(({ end }) => isJudged(end.result))) return now;
  return ended.some(({ isGivenUp }) => isGivenUp) ? null : undefined;
}

/** What the answer says of the number of records in the next sending. */
function nextSending({ results, status, refusedTogether: isRefused }: Sent, { state }: Sendable, records: number): Said['next'] {
  if (status === null) return 'same';
  const isDoubt = results.every(({ kind }) => kind === 'unknown');
  if (records > 1 && (isRefused || (isDoubt && state.failures >= HALVED_AFTER))) return 'narrower';
  return isRefused || results.every(({ kind }) => kind === 'unknown' || kind === 'deferred') ? 'same' : 'wider';
}

/** What becomes of each record of a sending that was refused for one of them. */
function refusedTogether({ results: [first] }: Sent, records: number): Result {
  const { code = '', message = '' } = first && 'error' in first ? first.error : {};
  const words = `The authority refused a sending of ${records} records (${code}: ${message}). Smaller ones show which of them it refuses.`;
  return { kind: 'deferred', error: { code: REFUSED_TOGETHER, message: words } };
}

/** Nothing was sent: another process has begun with one of the records, or this one stood still, and another may have given its attempt up. */
const raced = (count: number): Sent => {
  const error = { code: NOT_SENT, message: 'Another process sends one of the records of this sending, or goes on with it.' };
  return {
    results: Array.from({ length: count }, (): Result => ({ kind: 'deferred', error })),
    waitMs: null,
    status: null,
    received: null,
    times: [],
  };
};
