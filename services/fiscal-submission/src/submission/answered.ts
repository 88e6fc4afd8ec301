import { AGREE_MS } from '../sending/clock-difference.ts';
import { NOT_SENT, type CallKind, type Result } from './domain/facts.ts';
import type { Reply } from './send.ts';

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
