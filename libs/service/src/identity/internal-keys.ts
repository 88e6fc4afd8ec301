import { createSecretKey, type KeyObject } from 'node:crypto';
import { ValidateBy } from 'class-validator';

/** A key that the gateway and the services behind it share. */
export interface InternalKey {
  /** A hint that finds the key; several keys may have one name. */
  kid: string;
  key: KeyObject;
  /** The one service that it is for; undefined: all of them. */
  audience: string | undefined;
}

/**
 * Of those that are for a service the first one signs, all of them verify: a new key is put behind the others everywhere, then before
 * them, then the old one goes.
 */
export type InternalKeys = readonly [InternalKey, ...InternalKey[]];

const FORM = 'internal keys, k2:<base64 of 32 bytes or more>[,k1:…]; those of one service alone as reporting.k2:…';
const ENTRY = /^(?:([a-z][a-z-]{0,31})\.)?([a-z0-9]{1,16}):((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
/** RFC 7518, 3.2: a key of HS256 is as long as its hash at least. */
const FEWEST_BYTES = 32;
/** Of one service, and of all. */
const MOST_KEYS = 8;

/** Reads `k2:<base64>,k1:<base64>` or `reporting.k2:<base64>,…`. Throws, without a word of the keys, when it is none. */
export function internalKeys(text: string): InternalKeys {
  const entries = text.split(',').map((entry) => entry.trim());
  if (new Set(entries).size < entries.length) throw new RangeError('internal keys stand there once each');
  const [first, ...others] = entries.map(keyOf);
  const keys = [first as InternalKey, ...others] as const;
  for (const ofOne of Map.groupBy(keys, ({ audience }) => audience).values())
    if (ofOne.length > MOST_KEYS) throw new RangeError(`internal keys of one service are ${MOST_KEYS} at most, and so are those of all`);
  return keys;
}

/** Those by which a service is spoken to, in their order. Throws where there is none. */
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

/** A setting that `internalKeys` takes; told by its form alone, never by its value. */
export const IsInternalKeys = (): PropertyDecorator =>
  ValidateBy({ name: 'isInternalKeys', validator: { validate: isInternalKeys, defaultMessage: () => FORM } }) as PropertyDecorator;

function isInternalKeys(value: unknown): boolean {
  try {
    return internalKeys(String(value)).length > 0;
  } catch {
    return false;
  }
}
