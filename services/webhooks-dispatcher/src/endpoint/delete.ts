import { iso, notFound } from '@svc/kernel';
import { checkVersion, type Identity, type IfMatch } from '@svc/service';
import type { WebhooksContext } from '../context.ts';
import type { Endpoint } from './endpoint.ts';
import { findOwn } from './find.ts';

/**
 * Marks it deleted and gives its place up: nothing more is sent to it. What is still to be delivered is cancelled by the delivery worker.
 * Asked again under the same command it answers alike. Throws `not_found`, and `version_conflict` at another version than the one asked for.
 */
export async function deleteEndpoint(context: WebhooksContext, identity: Identity, id: string, ifMatch?: IfMatch): Promise<Endpoint> {
  for (;;) {
    const found = await findOwn(context, identity, id);
    if (found.deleted_by === identity.commandId) return asDeleted(found);
    if (found.deleted) throw notFound('webhook endpoint');
    checkVersion(ifMatch, found.version);
    const now = iso(context.clock.now());
    const [deleted] = await context.endpoints.claim(
      { _id: id, version: found.version },
      { set: { deleted: true, deleted_at: now, deleted_by: identity.commandId, updated_at: now, place: `gone-${id}` } },
    );
    if (deleted) return deleted; // else it changed meanwhile: look again
  }
}

/** As the deletion left it: that nothing is left to cancel is stored as one more version. */
const asDeleted = (endpoint: Endpoint): Endpoint => (endpoint.cleared_at ? { ...endpoint, version: endpoint.version - 1 } : endpoint);
