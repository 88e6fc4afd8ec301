import { createHash } from 'node:crypto';
import { derivedUid, iso, prefixed, timeOf, uidOf, type Env, type Uid } from '@svc/kernel';
import { presetSeries } from './domain/series-settings.ts';
import type { IssuerState } from './domain/state.ts';

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
    operators: [],
    software_code: null,
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
  series: presetSeries('FR'),
  authority: 'sandbox',
});

const liveFields: Pick<IssuerState, OwnFields> = {
  legal_name: null,
  tax_id: null,
  address: null,
  country: null,
  time_zone: 'UTC',
  default_tax_rate: '0',
  series: presetSeries(null),
  authority: null,
};
