import { createHash, createHmac, createPrivateKey, sign, timingSafeEqual } from 'node:crypto';

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The sandbox's key. It signs responses about documents without legal effect, so it is a published test key derived from a fixed text:
 * clients pin its public half and need no configuration.
 */
const key = createPrivateKey({
  key: Buffer.concat([PKCS8_ED25519, createHash('sha256').update('sandbox tax authority, answer signing key 1').digest()]),
  format: 'der',
  type: 'pkcs8',
});

/** Base64 of the Ed25519 signature of an answer's bytes. */
export const signatureOf = (body: Buffer): string => sign(null, body, key).toString('base64');

/** The published test key of those who call, derived from a fixed text. */
const callersKey = createHash('sha256').update('sandbox tax authority, request signing key 1').digest();

/** Whether a request bears the signature of this taxpayer: HMAC-SHA256 in base64 of the taxpayer, the method, the path with its query, and the body. */
export function isFrom(taxpayer: string, { method, path, body }: { method: string; path: string; body: string }, signature = ''): boolean {
  const expected = createHmac('sha256', callersKey).update([taxpayer, method, path, body].join('\n')).digest();
  const given = Buffer.from(signature, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

export const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
