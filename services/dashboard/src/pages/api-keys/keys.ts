import type { Environment } from '../../api/environment.ts';
import type { Resource } from '../../api/types.ts';
import { localTime } from '../../format/dates.ts';

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
  const before = settingsOf(valuesOf(key));
  const now = Object.entries(settingsOf(values)) as [keyof typeof before, unknown][];
  return Object.fromEntries(now.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])));
}

/** What a form shows of a key. */
export const valuesOf = ({ name, livemode, permissions, expires_at: ends, allowed_ips: addresses }: Resource<'ConsoleKey'>): KeyValues => ({
  ...{ name, livemode: livemode ? 'live' : 'test', permissions },
  ...{ ends: ends === null ? '' : localTime(ends), addresses: addresses?.join('\n') ?? '' },
});

/** The value that an answer has carried. It is kept for the page of the key alone, until that is left. */
let fresh: { id: string; value: string } | undefined;
export const putFresh = ({ id, key }: Resource<'ConsoleKey'>): void => void (fresh = key ? { id, value: key } : undefined);

/** The value of a key that was made just now, the first time that it is asked for. */
export function takeFresh(id: string): string | undefined {
  const value = fresh?.id === id ? fresh.value : undefined;
  fresh = undefined;
  return value;
}
