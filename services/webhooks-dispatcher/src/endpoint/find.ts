import { notFound } from '@svc/kernel';
import type { Identity } from '@svc/service';
import type { EndpointContext } from './context.ts';
import type { Endpoint } from './endpoint.ts';

/** The caller's endpoint. Throws `not_found` for one that is deleted or belongs to another account or environment. */
export async function endpointOf(context: EndpointContext, identity: Identity, id: string): Promise<Endpoint> {
  const found = await findOwn(context, identity, id);
  if (found.deleted) throw notFound('webhook endpoint');
  return found;
}

/** As `endpointOf`, but also returns a deleted endpoint. */
const findOwn = async ({ endpoints }: EndpointContext, identity: Identity, id: string): Promise<Endpoint> =>
  own(await endpoints.get(id), identity);

/** The endpoint that was read. Throws `not_found` where it belongs to another account or environment, or there is none. */
export function own(found: Endpoint | undefined, { account, env }: Identity): Endpoint {
  if (!found || found.account !== account || found.env !== env) throw notFound('webhook endpoint');
  return found;
}
