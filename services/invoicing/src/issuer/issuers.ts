import {
  createCommandHandler,
  type Env,
  type Ids,
  storedEvents,
  type Streams,
  versionAt,
  streamOf,
  turnOf,
  derivedUid,
  iso,
  prefixed,
  timeOf,
  uidOf,
  type Uid,
} from '@svc/kernel';
import { issuerDecider } from './domain/decide.ts';
import { isWhole, issuerEventVersions, type IssuerEvent } from './domain/events.ts';
import type { IssuerState } from './domain/state.ts';
import { createHash } from 'node:crypto';
import { presetSeries } from './domain/series-settings.ts';

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

/**
 * The issuer of an account that has changed nothing yet; the same at every call. Test: complete, so that the first invoice can be
 * submitted to the sandbox. France, because no authority here has rules of its own for it; its tax id contains the account id, so
 * that numbers of two accounts never collide at the authority. Live: no invented data; EUR and UTC until they are set.
 */
export function defaultIssuer(account: string, env: Env): IssuerState {
  const uid = uidOf('acct', account);
  if (uid === undefined) throw new RangeError(`${account} is no account`);
  const at = iso(timeOf(uid));
  return {
    id: prefixed('iss', derivedUid(uid, createHash('sha256').update(`issuer ${env} ${account}`).digest())),
    livemode: env === 'live',
    ...(env === 'live' ? liveFields : testFields(uid)),
    trade_name: null,
    vat_registered: true,
    currency: 'EUR',
    language: 'en',
    prices_include_tax: false,
    rounding: 'line',
    units: [],
    devices: [],
    operators: [],
    software_code: null,
    installation: null,
    tax_regime: null,
    metadata: {},
    created_at: at,
    updated_at: at,
  };
}

type OwnFields = 'legal_name' | 'tax_id' | 'address' | 'country' | 'time_zone' | 'default_tax_rate' | 'series' | 'authority';

const testFields = (uid: Uid): Pick<IssuerState, OwnFields> => ({
  legal_name: 'Sandbox Company',
  tax_id: `T${uid.toUpperCase()}`,
  address: { line1: '1 Rue de la Paix', line2: null, city: 'Paris', postal_code: '75002', region: null, country: 'FR' },
  country: 'FR',
  time_zone: 'Europe/Paris',
  default_tax_rate: '20',
  series: presetSeries({ country: 'FR', authority: 'sandbox' }),
  authority: 'sandbox',
});

const liveFields: Pick<IssuerState, OwnFields> = {
  legal_name: null,
  tax_id: null,
  address: null,
  country: null,
  time_zone: 'UTC',
  default_tax_rate: '0',
  series: presetSeries({ country: null, authority: null }),
  authority: null,
};
