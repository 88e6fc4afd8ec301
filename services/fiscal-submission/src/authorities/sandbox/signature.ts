import { createPublicKey, verify } from 'node:crypto';

/** The sandbox's published test key. It signs responses about documents without legal effect. */
const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: 'oLNj-QVGLbe_1qaORGh7d8Wtuhx4q2hasvyIVz3hrjg' }, format: 'jwk' });

/** Whether the sandbox signed these bytes; `signature` in base64. */
export const isSigned = (body: Buffer, signature: string | undefined): boolean =>
  signature !== undefined && verify(null, body, key, Buffer.from(signature, 'base64'));
