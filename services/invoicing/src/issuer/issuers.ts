import { createCommandHandler, type Env, type Ids, storedEvents, type Streams, type Turn, versionAt, streamOf, turnOf } from '@svc/kernel';
import { bornIssuer } from './born.ts';
import { issuerDecider } from './domain/decide.ts';
import { isWhole, issuerEventVersions, type IssuerEvent } from './domain/events.ts';
import type { IssuerState } from './domain/state.ts';
import { pastSeries } from './past-series.ts';

const KEPT = 10_000;
const issuerEvents = storedEvents<IssuerEvent>(issuerEventVersions);

export const issuerStream = (account: string, env: Env): string => streamOf('issuer', env, account, bornIssuer(account, env).id);

/** The one issuer of each account and environment. Reading writes nothing. */
export function createIssuers({ store, ids }: { store: Streams; ids: Ids }) {
  const { handle, load } = createCommandHandler({ streams: store, decider: issuerDecider, ...issuerEvents, ids, isWhole, turnOf });

  const born = new Map<string, IssuerState>();
  function bornOnce(account: string, env: Env): IssuerState {
    const key = `${env} ${account}`;
    const known = born.get(key);
    if (known) return known;
    if (born.size >= KEPT) born.clear();
    const made = bornIssuer(account, env);
    born.set(key, made);
    return made;
  }

  async function current(account: string, env: Env): Promise<{ state: IssuerState; version: number }> {
    const born = bornOnce(account, env);
    const { state, revision } = await load(streamOf('issuer', env, account, born.id));
    return { state: state ?? born, version: versionAt(revision) };
  }
  return {
    handle,
    current,
    /** The settings of numbers that it had one after the other, oldest first. */
    past: (account: string, env: Env, turn: Turn) =>
      pastSeries({ store, decode: issuerEvents.decode }, { stream: issuerStream(account, env), account, env, turn }),
    of: async (account: string, env: Env): Promise<IssuerState> => (await current(account, env)).state,
  };
}

export type Issuers = ReturnType<typeof createIssuers>;
