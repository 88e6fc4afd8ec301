import type { Env } from '@svc/kernel';
import type { Tls } from '../sending/http.ts';
import { NoKey, type KeyOwner } from '../signing/signer.ts';
import type { Authority, Message, Unsigned } from './authority.ts';
import type { Context } from './context.ts';
import type { Reply } from './send.ts';

/** A message as it is sent, or why it is not sent and what would have been signed. */
export interface Outgoing {
  message: Message;
  /** As whom the connection is made, where the authority asks for that. */
  client?: Tls['client'];
  unsent?: Reply;
}

/** For whom it is sent, and to whom. */
interface Sender {
  env: Env;
  account: string;
  authority: Pick<Authority, 'id' | 'needs' | 'origin' | 'originFor'>;
}

const ownerOf = ({ env, account, authority }: Sender): KeyOwner => ({ env, account, authority: authority.id });

/**
 * Signs a message where the authority wants that, and finds the certificate for its connection. Without a key nothing is sent: the attempt says so, and everything
 * waits for the certificate.
 */
export async function outgoingOf(
  { signer, clients }: Pick<Context, 'signer' | 'clients'>,
  target: Sender,
  rendered: Message | Unsigned,
): Promise<Outgoing> {
  const owner = ownerOf(target);
  try {
    const message = 'text' in rendered ? rendered.signedWith(await signer.sign(owner, rendered.text)) : rendered;
    if (target.authority.needs.tls === 'none') return { message };
    const client = await clients.of(owner);
    return { message: addressed(message, target.authority, client), client };
  } catch (error) {
    if (!(error instanceof NoKey)) throw error;
    const { code, message: text } = error;
    const result = { kind: 'deferred' as const, error: { code, message: text }, fixable: 'credentials' as const };
    const message = 'text' in rendered ? rendered.signedWith(UNSIGNED) : rendered;
    return { message, unsent: { result, status: null, received: null, times: [] } };
  }
}

const UNSIGNED = { signature: Buffer.alloc(0), certificate: '' };

/** The message to where the authority is for this client. */
export function addressed(
  message: Message,
  { origin, originFor }: Pick<Authority, 'origin' | 'originFor'>,
  client: Tls['client'],
): Message {
  if (!client || !originFor) return message;
  return { ...message, url: `${originFor(client.certificate)}${message.url.slice(origin.length)}` };
}
