import { iso, toUuid } from '@svc/kernel';
import { chainEvents } from '../chain/chains.ts';
import { type Attempted, type Target, metadataOf, simulateOf } from './attempt.ts';
import type { Batch } from './authority.ts';
import { setPace } from './chain-pace.ts';
import type { Context } from './context.ts';
import { isPutOff } from './domain/end-attempt.ts';
import type { Result } from './domain/facts.ts';
import { nextStep, waitAfter } from './domain/next-step.ts';
import { MAX_STORED_ATTEMPTS, type Pending, type State, type Unknown } from './domain/state.ts';
import { attemptsTotal, authoritySeconds } from './metrics.ts';
import { withHeaders } from '../sending/http.ts';
import { sendBatch } from './send.ts';
import { submissionStream } from './submissions.ts';
import { keepReceived, keepSent, sentBytes, sha256 } from './wire-log.ts';

type Sendable = (Pending | Unknown) & { link: NonNullable<Pending['link']> };

/** How long a sending waits whose records another process has begun to send, in milliseconds. */
const RACED_MS = 1_000;

const isSendable = (state: State): state is Sendable => (state.status === 'pending' || state.status === 'unknown') && state.link !== null;

/** The records behind the first one that can be sent with it: consecutive in its chain, of one group, each of them pending with a record that is whole. */
async function nextRecords(
  { streams, submissions }: Context,
  target: Target,
  { chain, first, group, now }: { chain: string; first: Sendable; group: (of: Sendable) => string; now: number },
): Promise<Sendable[]> {
  const { authority, env, account } = target;
  const found: Sendable[] = [];
  const recorded = await streams.read(chain, BigInt(first.link.position), authority.needs.batch - 1);
  for (const { data } of recorded.map(chainEvents.decode)) {
    const { state } = await submissions.load(submissionStream(env, account, data.document));
    if (!isSendable(state) || state.round !== data.round || state.link.position !== data.position) break;
    const next = nextStep(state, authority.needs, iso(now));
    if (next?.do !== 'call' || next.kind !== 'submit' || state.attemptCount >= MAX_STORED_ATTEMPTS || group(state) !== group(first)) break;
    found.push(state);
  }
  return found;
}

/**
 * Sends a record with those that follow it in its chain, as one message. Every start is stored before the first byte is sent, every end with its outcome. Where
 * another process has begun with one of them, nothing is sent. Returns what became of the first.
 */
export async function attemptBatch(
  context: Context,
  target: Target,
  { chain, first, batch }: { chain: string; first: Sendable; batch: Batch },
): Promise<Attempted> {
  const { submissions, clock, ids, wireLog } = context;
  const startedAt = clock.now();
  const at = iso(startedAt);
  const group = ({ prepared }: Sendable): string => batch.group(prepared, at);
  const records = [first, ...(await nextRecords(context, target, { chain, first, group, now: startedAt }))];
  const id = toUuid(ids.next());
  const envelope = { taxpayer: `${target.env}.${target.account}`, id, sentAt: at, repeated: first.attemptCount > 0, firstSentAt: null };
  const message = batch.render(
    records.map((of) => ({ of, record: of.prepared })),
    envelope,
  );
  const request_sha256 = sha256(sentBytes(message));
  const streamOf = ({ document_id }: Sendable): string => submissionStream(target.env, target.account, document_id);
  const [, ...started] = await Promise.all([
    keepSent(wireLog, { document_id: first.document_id, message, at }),
    ...records.map(async (state) => {
      const start = { do: 'start_attempt' as const, round: state.round, kind: 'submit' as const, message_id: id, request_sha256, at };
      return (await submissions.handle(streamOf(state), () => start, metadataOf(target, state))).events.length > 0;
    }),
  ]);
  const begun = records.filter((_, n) => started[n]);
  const http = withHeaders(context.http, { 'x-simulate': simulateOf(target, first) });
  const ours = records.map(({ prepared }) => ({ record_sha256: prepared.sha256, registered: false }));
  const reply = begun.length < records.length ? raced(records.length) : await sendBatch(target.authority, batch, message, ours, http);
  const now = clock.now();
  authoritySeconds.observe({ authority: target.authority.id }, (now - startedAt) / 1000);
  const ended = records.flatMap((state, n) => {
    if (!started[n]) return [];
    const result = reply.results[n] as Result;
    attemptsTotal.inc({ authority: target.authority.id, outcome: result.kind });
    const facts = {
      ...{ n: state.attemptCount + 1, kind: 'submit' as const, can_query: target.authority.needs.query, absence: null, result },
      ...{ duration_ms: now - startedAt, http_status: reply.status, response_sha256: reply.received && sha256(reply.received) },
      ...{ next_attempt_at: null, at: iso(now) },
    };
    const started_state = { ...state, open: facts.n };
    const wait = Math.max(RACED_MS, waitAfter(target.env, state.failures + 1)) / context.timeScale;
    const until = isPutOff(facts, started_state) ? now + wait : null;
    return [{ state, until, end: { ...facts, do: 'end_attempt' as const, next_attempt_at: until === null ? null : iso(until) } }];
  });
  await Promise.all([
    ...ended.map(({ state, end }) => submissions.handle(streamOf(state), () => end, metadataOf(target, state))),
    reply.received && keepReceived(wireLog, { document_id: first.document_id, message, at: iso(now) }, reply.status, reply.received),
    setPace(context.paces, chain, {
      next_at: now + (reply.waitMs ?? 0) / context.timeScale,
      sent: reply.status === null ? 0 : (records.at(-1)?.link.position ?? 0),
    }),
  ]);
  const [own] = ended;
  const answered = reply.results[0]?.kind !== 'deferred' && reply.results[0]?.kind !== 'unknown';
  return { waitUntil: own ? own.until : now + RACED_MS / context.timeScale, answered, absence: null };
}

/** Nothing was sent: another process has begun with one of the records. */
const raced = (count: number) => {
  const error = { code: 'not_sent', message: 'Another process sends one of the records of this sending.' };
  return {
    results: Array.from({ length: count }, (): Result => ({ kind: 'deferred', error })),
    waitMs: null,
    status: null,
    received: null,
  };
};
