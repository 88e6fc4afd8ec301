import { millisOf } from '@svc/kernel';
import type { Target } from './attempt.ts';
import { hasJudgedSince, isJudgedBetween, ownerOf } from './chain-pace.ts';
import type { Context } from './context.ts';
import { hasFailedTooOften } from './domain/failing.ts';
import type { Result } from './domain/facts.ts';
import { flawedTotal } from './metrics.ts';
import type { Sendable } from './sendable.ts';

interface Asked {
  chain: string;
  records: readonly Sendable[];
  results: readonly Result[];
}

const AGAIN = 'Submit again once it is mended.';
const HELD =
  'So was the record before it. It waits with all that are behind it, as this release may make every record so, and is tried again at least every hour.';
/** Of a record, once: what operators look for when an alert counts it. */
const GIVEN_UP = 'an authority fails at the record of a document and takes others: it is taken for refused';
const CHAIN_HELD = 'an authority finds records of a chain malformed one after the other: the chain waits';

/** Whether the authority has judged a record, as opposed to a message. */
export const isJudged = (result: Result): boolean =>
  result.kind === 'registered' ||
  result.kind === 'cancelled' ||
  ((result.kind === 'rejected' || result.kind === 'refused') && !result.ofRecord);

/**
 * What an answer means for each record, where the authority may be the cause, or this release. A failure ends a record only where another one was judged since it
 * began: an outage ends none. A malformed record ends only where the one before it in its chain has not ended so, or records of others are taken meanwhile: the
 * chain waits else.
 */
export async function blamed(context: Context, target: Target, { chain, records, results }: Asked): Promise<Result[]> {
  const isTakenHere = results.some(isJudged);
  return Promise.all(
    results.map(async (result, n) => {
      const { state } = records[n] as Sendable;
      if (result.kind === 'deferred' && result.ofRecord) {
        if (!hasFailedTooOften(result.error.code, state.failing)) return result;
        if (isTakenHere || (await isCause(context, target, chain, state))) return result;
        const { ofRecord: _, ...deferred } = result;
        return deferred;
      }
      if ((result.kind !== 'rejected' && result.kind !== 'refused') || !result.ofRecord) return result;
      const { code, message } = result.error;
      if (isTakenHere || !(await isHeld(context, target, chain, { state, code })))
        return { ...result, error: { ...result.error, message: `${message} ${AGAIN}` } } as Result;
      return { kind: 'deferred', fixable: 'setup', error: { code, message: `${message} ${HELD}` } };
    }),
  );
}

async function isCause({ paces, clock }: Context, target: Target, chain: string, { failing }: Sendable['state']): Promise<boolean> {
  const now = clock.now();
  const own = (await paces.get(chain))?.judged_at;
  if (!failing?.alone) return false;
  if (typeof own === 'number' && isJudgedBetween(own, { since: millisOf(failing.since), now })) return true;
  return hasJudgedSince(paces, ownerOf(target), { since: millisOf(failing.alone), now });
}

async function isHeld(
  { paces, clock }: Context,
  target: Target,
  chain: string,
  { state: { failing }, code }: { state: Sendable['state']; code: string },
): Promise<boolean> {
  if ((await paces.get(chain))?.judged_at !== null) return false;
  if (failing?.code !== code || !failing.alone) return true;
  return !(await hasJudgedSince(paces, ownerOf(target), { since: millisOf(failing.alone), now: clock.now() }));
}

/** Counts and logs what this software, or a person, has to mend: a record that is given up, or a chain when it begins to wait. */
export function alertOf(
  { logger }: Context,
  { authority, env, account }: Target,
  { state, result, isGivenUp }: { state: Sendable['state']; result: Result; isGivenUp: boolean },
): void {
  if (result.kind !== 'deferred') return;
  const { code } = result.error;
  const beginsToWait = result.error.message.endsWith(HELD) && state.failing?.code !== code;
  if (!isGivenUp && !beginsToWait) return;
  flawedTotal.inc({ authority: authority.id, env });
  const of = { document: state.document_id, account, env, authority: authority.id, codes: [code] };
  logger.error(of, isGivenUp ? GIVEN_UP : CHAIN_HELD);
}
