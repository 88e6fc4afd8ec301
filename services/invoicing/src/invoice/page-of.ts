import { listEnvelope, type ListEnvelope } from '@svc/service-kit';
import type { FastifyRequest } from 'fastify';

/** The page that the query asks for of a short list that is all there. */
export function pageOf<Item>(items: Item[], request: FastifyRequest, publicUrl: string): ListEnvelope<Item> {
  const { page, per_page: perPage } = request.query as { page: number; per_page: number };
  return listEnvelope({ publicUrl, request, total: items.length, data: items.slice((page - 1) * perPage, page * perPage) });
}
