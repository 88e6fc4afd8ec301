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

/** Headers of one attempt. `timestamp` in seconds since 1970. */
export function signatureHeaders(keys: SigningKeys, eventId: string, timestamp: number, body: Buffer): Record<string, string> {
  const standard = createHmac('sha256', keys.decoded).update(`${eventId}.${timestamp}.`).update(body).digest('base64');
  return {
    'x-service-signature': createHmac('sha256', keys.whole).update(body).digest('hex'),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${standard}`,
  };
}
