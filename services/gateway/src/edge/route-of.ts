import type { FastifyRequest } from 'fastify';

/** A request's route as metrics, logs and spans name it: `GET /invoices/{id}` of the table, the pattern of a page, else `unknown`. */
export function routeOf({ passage, routeOptions, method }: FastifyRequest): string {
  if (passage?.route) return passage.route.name;
  const page = routeOptions?.url;
  return page === undefined || page.startsWith('/v1') ? 'unknown' : `${method} ${page}`;
}
