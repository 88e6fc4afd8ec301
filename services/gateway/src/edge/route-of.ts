import type { FastifyRequest } from 'fastify';

/** A request's route as metrics, logs and spans name it: `GET /invoices/{id}` of the table, the pattern of a page, else `unknown`. */
export function routeOf({ requestContext, routeOptions, method }: FastifyRequest): string {
  if (requestContext?.route) return requestContext.route.name;
  const page = routeOptions?.url;
  return page === undefined || page.startsWith('/v1') ? 'unknown' : `${method} ${page}`;
}
