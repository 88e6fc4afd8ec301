import { compareAndSet } from '@svc/document-store';
import { iso, notFound } from '@svc/kernel';
import { checkVersion, type Identity, type IfMatch } from '@svc/service';
import type { EndpointContext } from './context.ts';
import { type Endpoint, versionOf } from './endpoint.ts';
import { own } from './find.ts';

/**
 * Marks an endpoint as deleted and frees its slot; nothing more is sent to it. The delivery worker cancels its pending deliveries.
 * Repeating the command returns the same answer. Throws `not_found`, and `version_conflict` when `ifMatch` names another version.
 */
export async function deleteEndpoint(context: EndpointContext, identity: Identity, id: string, ifMatch?: IfMatch): Promise<Endpoint> {
  const { doc } = await compareAndSet(context.endpoints, id, {
    absent: () => own(undefined, identity),
    change(found) {
      const { deleted, deleted_by } = own(found, identity);
      if (deleted_by === identity.commandId) return undefined;
      if (deleted) throw notFound('webhook endpoint');
      checkVersion(ifMatch, versionOf(found));
      const now = iso(context.clock.now());
      return { deleted: true, deleted_at: now, deleted_by: identity.commandId, updated_at: now, place: `gone-${id}`, cleared_at: null };
    },
  });
  return doc;
}
