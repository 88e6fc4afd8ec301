import { NoKey, type KeyOwner, type Signer } from '../signing/signer.ts';
import type { Message, Unsigned } from './authority.ts';
import type { Reply } from './send.ts';

/** A message as it is sent, or why it is not sent and what would have been signed. */
export type Outgoing = { message: Message; unsent?: Reply };

/** Signs a message where the authority wants that. Without a key nothing is sent: the attempt says so, and everything waits for the certificate. */
export async function signMessage(signer: Signer, owner: KeyOwner, rendered: Message | Unsigned): Promise<Outgoing> {
  if (!('text' in rendered)) return { message: rendered };
  try {
    return { message: rendered.signedWith(await signer.sign(owner, rendered.text)) };
  } catch (error) {
    if (!(error instanceof NoKey)) throw error;
    const { code, message } = error;
    const result = { kind: 'deferred' as const, error: { code, message }, fixable: 'credentials' as const };
    return { message: rendered.signedWith(UNSIGNED), unsent: { result, status: null, received: null } };
  }
}

const UNSIGNED = { signature: Buffer.alloc(0), certificate: '' };
