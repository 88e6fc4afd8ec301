import { createFresh } from '../../api/fresh.ts';
import type { Environment } from '../../api/environment.ts';
import type { Resource } from '../../api/types.ts';
import { localTime } from '../../format/dates.ts';
import { changedFields } from '../../ui/change.ts';

export interface KeyValues {
  name: string;
  livemode: Environment;
  permissions: string[];
  /** A time of the reader's zone as the browser's field gives it; '': never. */
  ends: string;
  addresses: string;
}

/** Begins the key of every query of a page of the list. */
export const keysKey = ['api-keys', 'list'];
/** Of the query of one key. */
export const keyKey = (id: string): string[] => ['api-keys', 'one', id];

export const keysAddress = '/app/settings/api-keys';
export const keyAddress = (id: string): string => `${keysAddress}/${id}`;

/** What a key may be allowed to do, by what it does it to. */
export const permissionTable = [
  { subject: 'invoices', actions: ['read', 'write', 'submit', 'void'] },
  { subject: 'receipts', actions: ['read', 'write', 'void'] },
  { subject: 'customers', actions: ['read', 'write'] },
  { subject: 'products', actions: ['read', 'write'] },
  { subject: 'reports', actions: ['read'] },
  { subject: 'webhooks', actions: ['read', 'write'] },
  { subject: 'api_keys', actions: ['read', 'write'] },
  { subject: 'settings', actions: ['read', 'write'] },
] as const;

/** Addresses and networks as they are typed: a line or a comma between them. No address: null, any may. */
function addressesIn(text: string): string[] | null {
  const list = text.split(/[\s,]+/).filter((one) => one !== '');
  return list.length === 0 ? null : list;
}

/** What a form sends. */
export const settingsOf = ({ name, permissions, ends, addresses }: KeyValues) => ({
  ...{ name, permissions: permissions as Resource<'CreateApiKey'>['permissions'] },
  ...{ expires_at: ends === '' ? null : new Date(ends).toISOString(), allowed_ips: addressesIn(addresses) },
});

/** What a form changes of a key: what nobody touched is not sent. */
export function changesOf(key: Resource<'ConsoleKey'>, values: KeyValues): Resource<'ChangeApiKey'> {
  return changedFields(settingsOf(valuesOf(key)), settingsOf(values));
}

/** What a form shows of a key. */
export const valuesOf = ({ name, livemode, permissions, expires_at: ends, allowed_ips: addresses }: Resource<'ConsoleKey'>): KeyValues => ({
  ...{ name, livemode: livemode ? 'live' : 'test', permissions },
  ...{ ends: ends === null ? '' : localTime(ends), addresses: addresses?.join('\n') ?? '' },
});

/** The value of a key that was made just now. */
export const freshKeys = createFresh();
