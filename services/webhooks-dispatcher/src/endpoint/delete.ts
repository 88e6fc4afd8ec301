import { compareAndSet } from '@svc/document-store';
import { iso, notFound } from '@svc/kernel';
import { checkVersion, type Identity, type IfMatch } from '@svc/service';
import { auditedChange } from './audited-change.ts';
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
      const endpoint = own(found, identity);
      const { deleted, deleted_by } = endpoint;
      if (deleted_by === identity.commandId) return undefined;
      if (deleted) throw notFound('webhook endpoint');
      checkVersion(ifMatch, versionOf(found));
      const now = iso(context.clock.now());
      const gone = {
        deleted: true,
        deleted_at: now,
        deleted_by: identity.commandId,
        updated_at: now,
        place: `gone-${id}`,
        cleared_at: null,
      };
      const audited = auditedChange(endpoint, endpoint, 'deleted', identity, context.clock);
      return { ...gone, revision: versionOf(endpoint) + 1, ...audited };
    },
  });
  return doc;
}
