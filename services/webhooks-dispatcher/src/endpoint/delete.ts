import { iso, notFound } from '@svc/kernel';
import { checkVersion, type Identity, type IfMatch } from '@svc/service';
import type { WebhooksContext } from '../context.ts';
import type { Endpoint } from './endpoint.ts';
import { findOwn } from './find.ts';

/**
 * Marks an endpoint as deleted and frees its place; nothing more is sent to it. The delivery worker cancels its pending deliveries.
 * Repeating the command returns the same answer. Throws `not_found`, and `version_conflict` when `ifMatch` names another version.
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
    if (deleted) return deleted; // Another request changed it; read it again.
  }
}

/** The endpoint as the deletion left it: `cleared_at` is stored later, as one more version. */
const asDeleted = (endpoint: Endpoint): Endpoint => (endpoint.cleared_at ? { ...endpoint, version: endpoint.version - 1 } : endpoint);
