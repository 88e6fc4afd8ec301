import { createHash, createPrivateKey, sign } from 'node:crypto';

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

export const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
