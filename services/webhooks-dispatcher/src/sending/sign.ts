import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';

/** An endpoint's signing secret, in the two forms of its signatures. */
export interface SigningKeys {
  /** The whole secret string as UTF-8: `X-Service-Signature`. */
  whole: KeyObject;
  /** The 32 bytes behind `whsec_`: `webhook-signature` (Standard Webhooks). */
  decoded: KeyObject;
}

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

export const keysOf = (secret: string): SigningKeys => ({
  whole: createSecretKey(Buffer.from(secret, 'utf8')),
  decoded: createSecretKey(Buffer.from(secret.slice('whsec_'.length), 'base64')),
});

/**
 * Headers of one attempt. `keys`: of the secrets that sign now, the oldest first, which alone makes the contract's signature; `webhook-signature` lists all of them
 * (Standard Webhooks). `timestamp` in seconds since 1970.
 */
export function signatureHeaders(keys: readonly SigningKeys[], eventId: string, timestamp: number, body: Buffer): Record<string, string> {
  const [oldest] = keys;
  if (!oldest) throw new RangeError('no secret signs');
  const standard = ({ decoded }: SigningKeys): string =>
    `v1,${createHmac('sha256', decoded).update(`${eventId}.${timestamp}.`).update(body).digest('base64')}`;
  return {
    'x-service-signature': createHmac('sha256', oldest.whole).update(body).digest('hex'),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': keys.length === 1 ? standard(oldest) : keys.map(standard).join(' '),
  };
}
