import { createSecretKey, type KeyObject } from 'node:crypto';
import { ValidateBy } from 'class-validator';

/** A key that the gateway shares with services. */
export interface InternalKey {
  /** A hint for finding the key. Several keys may have the same name. */
  kid: string;
  key: KeyObject;
  /** The service that the key is for; undefined: all services. */
  audience: string | undefined;
}

/**
 * The first key for a service signs, all keys for it verify. To rotate a key, append the new one everywhere, then move it to the front, then
 * remove the old one.
 */
export type InternalKeys = readonly [InternalKey, ...InternalKey[]];

const FORM = 'internal keys, k2:<base64 of 32 bytes or more>[,k1:…]; those of one service alone as reporting.k2:…';
const ENTRY = /^(?:([a-z][a-z-]{0,31})\.)?([a-z0-9]{1,16}):((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
/** RFC 7518, 3.2: a key for HS256 has at least the length of its hash. */
const FEWEST_BYTES = 32;
/** Maximum number of keys for one service, and of keys for all services. */
const MOST_KEYS = 8;

/** Parses `k2:<base64>,k1:<base64>` or `reporting.k2:<base64>,…`. Throws an error without any part of the keys if the form is wrong. */
export function internalKeys(text: string): InternalKeys {
  const entries = text.split(',').map((entry) => entry.trim());
  if (new Set(entries).size < entries.length) throw new RangeError('internal keys stand there once each');
  const [first, ...others] = entries.map(keyOf);
  const keys = [first as InternalKey, ...others] as const;
  for (const ofOne of Map.groupBy(keys, ({ audience }) => audience).values())
    if (ofOne.length > MOST_KEYS) throw new RangeError(`internal keys of one service are ${MOST_KEYS} at most, and so are those of all`);
  return keys;
}

/** The keys for a service, in their order. Throws if there is none. */
export function keysFor(keys: InternalKeys, audience: string): InternalKeys {
  const [first, ...others] = keys.filter((key) => key.audience === undefined || key.audience === audience);
  if (!first) throw new RangeError(`INTERNAL_KEYS has no key for ${audience}`);
  return [first, ...others];
}

function keyOf(entry: string): InternalKey {
  const [, audience, kid, base64] = ENTRY.exec(entry) ?? [];
  const bytes = Buffer.from(base64 ?? '', 'base64');
  if (!kid || bytes.length < FEWEST_BYTES) throw new RangeError(FORM);
  return { kid, key: createSecretKey(bytes), audience };
}

/** A setting in the form of `internalKeys`. The message shows the form, never the value. */
export const IsInternalKeys = (): PropertyDecorator =>
  ValidateBy({ name: 'isInternalKeys', validator: { validate: isInternalKeys, defaultMessage: () => FORM } }) as PropertyDecorator;

function isInternalKeys(value: unknown): boolean {
  try {
    return internalKeys(String(value)).length > 0;
  } catch {
    return false;
  }
}
