import { createHash, createHmac, createPublicKey, verify } from 'node:crypto';
import type { Message } from '../../submission/authority.ts';

/** The sandbox's published test key. It signs responses about documents without legal effect. */
const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: 'oLNj-QVGLbe_1qaORGh7d8Wtuhx4q2hasvyIVz3hrjg' }, format: 'jwk' });

/** Whether the sandbox signed these bytes; `signature` in base64. */
export const isSigned = (body: Buffer, signature: string | undefined): boolean =>
  signature !== undefined && verify(null, body, key, Buffer.from(signature, 'base64'));

/** The published test key of those who call the sandbox: derived from a fixed text, like its own. */
const callersKey = createHash('sha256').update('sandbox tax authority, request signing key 1').digest();

/** The message with its sender: HMAC-SHA256 of the taxpayer, the method, the path and the body. The sandbox keeps the documents of taxpayers apart by it. */
export function signedBy(taxpayer: string, message: Message): Message {
  const { method, url, headers, body = '' } = message;
  const { pathname, search } = new URL(url);
  const signature = createHmac('sha256', callersKey)
    .update([taxpayer, method, `${pathname}${search}`, body].join('\n'))
    .digest('base64');
  return { ...message, headers: { ...headers, 'x-taxpayer': taxpayer, 'x-taxpayer-signature': signature } };
}
