import { createCommandHandler, type Env, type Ids, storedEvents, type Streams, versionAt, streamOf, turnOf } from '@svc/kernel';
import { defaultIssuer } from './default-issuer.ts';
import { issuerDecider } from './domain/decide.ts';
import { isWhole, issuerEventVersions, type IssuerEvent } from './domain/events.ts';
import type { IssuerState } from './domain/state.ts';

const KEPT = 10_000;
export const issuerEvents = storedEvents<IssuerEvent>(issuerEventVersions);

export const issuerStream = (account: string, env: Env): string => streamOf('issuer', env, account, defaultIssuer(account, env).id);

/** The one issuer of each account and environment. Reading writes nothing. */
export function createIssuers({ store, ids }: { store: Streams; ids: Ids }) {
  const { handle, load } = createCommandHandler({ streams: store, decider: issuerDecider, ...issuerEvents, ids, isWhole, turnOf });

  const initial = new Map<string, IssuerState>();
  function initialOf(account: string, env: Env): IssuerState {
    const key = `${env} ${account}`;
    const known = initial.get(key);
    if (known) return known;
    if (initial.size >= KEPT) initial.clear();
    const made = defaultIssuer(account, env);
    initial.set(key, made);
    return made;
  }

  async function current(account: string, env: Env): Promise<{ state: IssuerState; version: number }> {
    const initial = initialOf(account, env);
    const { state, revision } = await load(streamOf('issuer', env, account, initial.id));
    return { state: state ?? initial, version: versionAt(revision) };
  }
  return {
    handle,
    current,
    of: async (account: string, env: Env): Promise<IssuerState> => (await current(account, env)).state,
    isStored: async (account: string, env: Env): Promise<boolean> => (await current(account, env)).version > 0,
  };
}

export type Issuers = ReturnType<typeof createIssuers>;
