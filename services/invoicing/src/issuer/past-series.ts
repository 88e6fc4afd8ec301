import { type Env, piecesOf, type Recorded, sameJson, type Streams, type Turn } from '@svc/kernel';
import { defaultIssuer } from './default-issuer.ts';
import type { IssuerEvent } from './domain/events.ts';
import { evolve } from './domain/evolve.ts';
import type { IssuerState } from './domain/state.ts';

/** The number settings of an issuer at some time. */
export type PastSeries = Pick<IssuerState, 'series' | 'units'>;

/** Far more than releases without pattern claims stored, including a rollout and a rollback: those limited a stream to a thousand events. */
const MOST_EVENTS = 10_000;
const MOST_BYTES = 64 * 1_048_576;

/**
 * All settings of an issuer in order, first the initial ones: a release without pattern claims may have numbered by each of them, also by
 * those that a later release stored beside it during a rollout. Ends after 10,000 events or 64 MiB. Yields to other work after each piece.
 */
export async function* pastSeries(
  { store, decode }: { store: Pick<Streams, 'read'>; decode(recorded: Recorded): IssuerEvent },
  { stream, account, env, turn }: { stream: string; account: string; env: Env; turn: Turn },
): AsyncGenerator<PastSeries> {
  let state: IssuerState | null = null;
  yield defaultIssuer(account, env);
  let [events, bytes] = [0, 0];
  for await (const piece of piecesOf(store, { stream, turn })) {
    for (const recorded of piece) {
      const before: IssuerState | null = state;
      state = evolve(state, decode(recorded));
      bytes += recorded.bytes;
      if (state && !(sameJson(state.series, before?.series) && sameJson(state.units, before?.units))) yield state;
    }
    events += piece.length;
    if (events >= MOST_EVENTS || bytes >= MOST_BYTES) return;
  }
}
