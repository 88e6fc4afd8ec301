import type { Result } from './domain/facts.ts';
import type { Reply } from './send.ts';

/** Whether the authority has spoken. A refusal that waits for the issuer's setup or certificate is an answer, too: it says nothing of other issuers. */
export const isAnswer = (result: Result): boolean =>
  result.kind === 'deferred' ? result.fixable !== undefined : result.kind !== 'unknown';

/** Within which clocks agree, in milliseconds: then what is refused for its time is that of one document. */
const AGREE_MS = 10_000;

/** Whether it takes no message of any document now. */
export const isOfAll = (result: Result, { theirTime }: Pick<Reply, 'theirTime'>, now: number): boolean =>
  result.kind === 'deferred' && result.ofAll === true && !(theirTime !== null && Math.abs(theirTime - now) < AGREE_MS);
