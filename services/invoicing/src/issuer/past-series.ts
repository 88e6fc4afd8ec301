import type { Env, Recorded, Streams } from '@svc/kernel';
import { MOST_EVENTS } from '../longest-stream.ts';
import { bornIssuer } from './born.ts';
import type { IssuerEvent } from './domain/events.ts';
import { evolve } from './domain/evolve.ts';
import type { IssuerState } from './domain/state.ts';

/** What an issuer's documents were numbered by at some time. */
export type PastSeries = Pick<IssuerState, 'series' | 'units'>;

const PAGE = 20;

/**
 * The settings that an issuer had one after the other while releases numbered that claimed no pattern; first as it was born. Their
 * streams ended at a thousand events, and they stored what changed alone: a change that holds the whole issuer is of a later release.
 */
export async function* pastSeries(
  { store, decode }: { store: Pick<Streams, 'read'>; decode(recorded: Recorded): IssuerEvent },
  { stream, account, env }: { stream: string; account: string; env: Env },
): AsyncGenerator<PastSeries> {
  let state: IssuerState | null = null;
  yield bornIssuer(account, env);
  for (let from = 0; from < MOST_EVENTS; from += PAGE) {
    const page = await store.read(stream, BigInt(from), PAGE);
    for (const recorded of page) {
      if (isWholeChange(recorded)) return;
      const before: IssuerState | null = state;
      state = evolve(state, decode(recorded));
      if (state && (state.series !== before?.series || state.units !== before.units)) yield state;
    }
    if (page.length < PAGE) return;
  }
}

const isWholeChange = ({ type, data }: Recorded): boolean => type === 'IssuerUpdated' && 'created_at' in data;
