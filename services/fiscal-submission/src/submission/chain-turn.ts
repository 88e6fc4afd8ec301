import type { Context } from './context.ts';
import { waitsForChain } from './chain-order.ts';
import { pacedUntil, sendingsBefore } from './chain-pace.ts';
import { chainEvents } from '../chain/chains.ts';
import { makeDue } from './row.ts';
import type { Target } from './attempt.ts';
import type { AttemptKind } from './domain/facts.ts';
import type { Calling } from './domain/state.ts';

/** How often a record looks whether the one before it in its chain has its outcome, in milliseconds, once the chain may send. */
const BEHIND_MS = 1_000;
/** So many times as long at most, where it has that many sendings before it. */
const MOST_BEHIND = 60;

/**
 * Before when a record of a chain is not called about, in milliseconds since 1970: the one before it has no outcome yet, or the last answer says so. null: it is
 * its turn, or the authority has no chain.
 */
export async function chainTurn(
  context: Context,
  target: Target,
  { chain, state, kind, now }: { chain: string; state: Calling; kind: AttemptKind; now: number },
): Promise<number | null> {
  const { needs } = target.authority;
  if (!needs.chain || !state.link) return null;
  const place = { chain, position: state.link.position, batch: needs.batch };
  if (await waitsForChain(context, target, state)) {
    const { sendings, sent, nextAt } = await sendingsBefore(context, place, now);
    if (needs.batch > 1 && place.position - sent === needs.batch) await wakeFirst(context, chain, { sent, now });
    return nextAt + (BEHIND_MS / context.timeScale) * Math.min(sendings, MOST_BEHIND);
  }
  return kind === 'query' ? null : ((await pacedUntil(context, place, now)) ?? null);
}

/** As many records wait as one sending takes: the first of them does not wait for the time that the last answer has named. */
async function wakeFirst(
  { streams, rows }: Pick<Context, 'streams' | 'rows'>,
  chain: string,
  { sent, now }: { sent: number; now: number },
): Promise<void> {
  const [first] = (await streams.read(chain, BigInt(sent), 1)).map(chainEvents.decode);
  if (first) await makeDue(rows, first.data.document, now);
}
