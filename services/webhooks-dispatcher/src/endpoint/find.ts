import { notFound } from '@svc/kernel';
import type { Identity } from '@svc/service';
import type { WebhooksContext } from '../context.ts';
import type { Endpoint } from './endpoint.ts';

/** The caller's endpoint, or `not_found`: another account's, another environment's and a deleted one are none. */
export async function endpointOf(context: WebhooksContext, identity: Identity, id: string): Promise<Endpoint> {
  const found = await findOwn(context, identity, id);
  if (found.deleted) throw notFound('webhook endpoint');
  return found;
}

/** As `endpointOf`, also when it is deleted. */
export async function findOwn({ endpoints }: WebhooksContext, { account, env }: Identity, id: string): Promise<Endpoint> {
  const found = await endpoints.get(id);
  if (!found || found.account !== account || found.env !== env) throw notFound('webhook endpoint');
  return found;
}
