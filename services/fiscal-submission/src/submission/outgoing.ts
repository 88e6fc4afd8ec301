import type { Env } from '@svc/kernel';
import type { Tls } from '../sending/http.ts';
import { NoKey, type KeyOwner } from '../signing/signer.ts';
import type { Authority, Message, Ours, Unsigned } from './authority.ts';
import type { Context } from './context.ts';
import type { AttemptKind } from './domain/facts.ts';
import type { Calling } from './domain/state.ts';
import type { Reply } from './send.ts';

/** The message of a call about one document. Throws where its authority has no such call. */
export function messageOf(
  authority: Authority,
  state: Calling,
  kind: AttemptKind,
  envelope: Parameters<Authority['render']>[2],
): Message | Unsigned {
  if (state.status === 'cancelling') {
    if (kind === 'query' && authority.query) return authority.query(state, oursIn(state), envelope);
    if (!authority.cancel) throw new Error(`${authority.id} knows no cancellation: void ${state.document_id} by a corrective document`);
    return authority.cancel(
      state,
      state.registration,
      { ...state.cancellation, ...(state.prepared && { record: state.prepared }) },
      envelope,
    );
  }
  if (kind === 'query' && authority.query) return authority.query(state, oursIn(state), envelope);
  if (state.status === 'amending') {
    if (!authority.batch || !state.prepared) throw new Error(`${authority.id} amends no records, such as that of ${state.document_id}`);
    return authority.batch.render([state.prepared], envelope);
  }
  if (kind === 'deposit' && authority.opening) return authority.opening(state.prepared, envelope);
  return authority.render(state, state.prepared, envelope);
}

/** Which record a call is about. */
export function oursIn(state: Calling): Ours {
  if (state.status === 'pending' || state.status === 'unknown')
    return { record_sha256: state.prepared.sha256, registered: false, reference: state.prepared.reference };
  const { registration, prepared } = state;
  const { reference } = prepared ?? registration;
  if (state.status === 'cancelling') return { record_sha256: registration.record_sha256, registered: true, reference };
  return { record_sha256: prepared?.sha256 ?? registration.record_sha256, registered: false, reference, amends: registration.reference };
}

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
