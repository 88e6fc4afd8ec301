import { AGREE_MS, dateOf } from '../sending/clock-difference.ts';
import { ClientRefused, NoTurn, NotSent, type Http, type HttpResponse } from '../sending/http.ts';
import type { Peer } from '../sending/peer.ts';
import type { Authority, Batch, BatchAnswer, Message, Ours } from './authority.ts';
import { NOT_SENT, UNREACHABLE, type CallKind, type Result } from './domain/facts.ts';

export interface Reply {
  result: Result;
  /** null: no response arrived. */
  status: number | null;
  received: Buffer | null;
  /** What time its server and the answer itself say that it is, in milliseconds since 1970. */
  times: readonly number[];
  /** By how much this machine's clock is ahead of that, in milliseconds, as the whole call says. Absent: no time is stated. */
  aheadMs?: number | undefined;
  /** The certificate that its server has shown. */
  peer?: Peer | undefined;
}

/**
 * Whether the authority has spoken; null: it was not asked. A refusal that waits for the issuer's setup or certificate is an answer, too: it says nothing of other
 * issuers.
 */
export const isAnswer = (result: Result): boolean | null => {
  if (result.kind !== 'deferred') return result.kind !== 'unknown';
  return result.error.code === NOT_SENT ? null : result.fixable !== undefined;
};

/** Whether it takes no message of any document now. */
export const isOfAll = (result: Result, { aheadMs }: Pick<Reply, 'aheadMs'>): boolean =>
  result.kind === 'deferred' && result.ofAll === true && !(aheadMs !== undefined && Math.abs(aheadMs) < AGREE_MS);

/** Whether it has judged what the message states. A query states no time. */
export const isTaken = (kind: CallKind, result: Result): boolean =>
  kind !== 'query' && result.kind !== 'deferred' && result.kind !== 'unknown';

/**
 * Makes the call and has the response read. Never throws: a response that cannot be read is `unknown`, a request that certainly did not arrive is `deferred`.
 */
export async function send(
  authority: Pick<Authority, 'deadlineMs' | 'read' | 'anchors' | 'saidAt'>,
  message: Message,
  ours: Ours,
  http: Http,
): Promise<Reply> {
  const { method, url, headers, body } = message;
  const tls = authority.anchors && { anchors: authority.anchors };
  try {
    const response = await http({ method, url, headers, body, tls, deadlineMs: authority.deadlineMs });
    const result = readWith(authority, message, ours, response);
    const { status, body: received, peer } = response;
    return { result, status, received, times: timesOf(authority, result, response), peer };
  } catch (error) {
    return { result: resultOf(error), status: null, received: null, times: [] };
  }
}

/** An answer that cannot be trusted says nothing of the time. */
function timesOf({ saidAt }: Pick<Authority, 'saidAt'>, { kind }: Result, response: HttpResponse): number[] {
  const said = kind === 'unknown' ? Number.NaN : (saidAt?.(response) ?? Number.NaN);
  return [...dateOf(response.headers), ...(Number.isNaN(said) ? [] : [said])];
}

/** Of a call without an answer. */
function resultOf(error: unknown): Result {
  const message = textOf(error);
  if (error instanceof ClientRefused) return { kind: 'deferred', error: { code: 'certificate_refused', message }, fixable: 'credentials' };
  if (error instanceof NoTurn) return { kind: 'deferred', error: { code: NOT_SENT, message } };
  if (error instanceof NotSent) return { kind: 'deferred', error: { code: UNREACHABLE, message } };
  return { kind: 'unknown', error: { code: 'no_answer', message } };
}

function readWith(authority: Pick<Authority, 'read'>, ...[message, ours, response]: Parameters<Authority['read']>): Result {
  try {
    return authority.read(message, ours, response);
  } catch (error) {
    return {
      kind: 'unknown',
      error: { code: 'unreadable_answer', message: `The answer (${response.status}) cannot be read: ${textOf(error)}` },
    };
  }
}

/** The same of several records: one result each. */
export async function sendBatch(
  authority: Pick<Authority, 'deadlineMs' | 'anchors' | 'saidAt'>,
  batch: Pick<Batch, 'read'>,
  message: Message,
  ours: readonly Ours[],
  http: Http,
): Promise<Omit<Reply, 'result'> & BatchAnswer> {
  let answered: BatchAnswer | undefined;
  const read: Authority['read'] = (sent, _ours, response) => {
    const answer = batch.read(sent, ours, response);
    if (answer.results.length !== ours.length) throw new Error(`it has ${answer.results.length} results of ${ours.length} records`);
    answered = answer;
    return answer.results[0] as Result;
  };
  const { result, ...reply } = await send({ ...authority, read }, message, ours[0] as Ours, http);
  return { ...reply, ...(answered ?? { waitMs: null, results: ours.map(() => result) }) };
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
