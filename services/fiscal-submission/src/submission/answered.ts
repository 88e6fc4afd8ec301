import { AGREE_MS } from '../sending/clock-difference.ts';
import type { CallKind, Result } from './domain/facts.ts';
import type { Reply } from './send.ts';

/** Whether the authority has spoken. A refusal that waits for the issuer's setup or certificate is an answer, too: it says nothing of other issuers. */
export const isAnswer = (result: Result): boolean =>
  result.kind === 'deferred' ? result.fixable !== undefined : result.kind !== 'unknown';

/** Whether it takes no message of any document now. */
export const isOfAll = (result: Result, { aheadMs }: Pick<Reply, 'aheadMs'>): boolean =>
  result.kind === 'deferred' && result.ofAll === true && !(aheadMs !== undefined && Math.abs(aheadMs) < AGREE_MS);

/** Whether it has judged what the message states. A query states no time. */
export const isTaken = (kind: CallKind, result: Result): boolean =>
  kind !== 'query' && result.kind !== 'deferred' && result.kind !== 'unknown';
