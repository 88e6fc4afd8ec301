import type { FastifyRequest } from 'fastify';
import { allRows, type Ask, type Rows } from './ask.ts';

const MOST_DELIVERIES = 500;
/** Endpoints that an environment may have; of those that were deleted the last. */
const MOST_ENDPOINTS = 20;
/** Deleted endpoints that are looked through, the newest by creation. */
const DELETED = 100;

/** A delivery of an event of a document, with the endpoint that got it. */
export interface DocumentDelivery {
  created_at: string;
  event_type: string;
  status: string;
  endpoint: EndpointSeen;
}

/** `deleted_at`: its deliveries are kept for 30 days all the same. */
interface EndpointSeen {
  url: string;
  description: string | null;
  deleted_at: string | null;
}
type Endpoint = EndpointSeen & { id: string };

const seen = ({ id, url, description, deleted_at }: Endpoint): Endpoint => ({ id, url, description, deleted_at });

/** The deliveries of a document that was made at `since` (ISO 8601), to endpoints of its environment and to those that were deleted after that; at most 500. */
export async function deliveriesOf(
  ask: Ask,
  request: FastifyRequest,
  { id, since }: { id: string; since: string },
): Promise<DocumentDelivery[]> {
  const [present, deleted] = await Promise.all([
    allRows(ask, request, '/webhooks', { most: MOST_ENDPOINTS, size: 20, keep: seen }),
    deletedSince(ask, request, since),
  ]);
  const each = await Promise.all(
    [...present, ...deleted].map(({ id: endpoint, ...shown }) =>
      allRows(ask, request, `/webhooks/${endpoint}/deliveries`, {
        ...{ query: { resource_id: id }, most: MOST_DELIVERIES, size: 100 },
        keep: (delivery: Omit<DocumentDelivery, 'endpoint'>): DocumentDelivery => ({ ...delivery, endpoint: shown }),
      }),
    ),
  );
  return each
    .flat()
    .sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
    .slice(0, MOST_DELIVERIES);
}

async function deletedSince(ask: Ask, request: FastifyRequest, since: string): Promise<Endpoint[]> {
  const { status, body } = await ask<Rows<Endpoint>>(request, '/webhooks', { deleted: 'true', per_page: String(DELETED) });
  if (status === 403 || status === 400) return []; // 400 until 0.3: a dispatcher of 0.1.0 does not list them.
  if (status !== 200) throw new Error(`GET /webhooks with deleted answers ${status}`);
  const deleted = body.data.map(seen).filter(({ deleted_at }) => deleted_at !== null && deleted_at >= since);
  return deleted.sort((a, b) => ((a.deleted_at ?? '') < (b.deleted_at ?? '') ? 1 : -1)).slice(0, MOST_ENDPOINTS);
}
