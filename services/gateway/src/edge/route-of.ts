import type { FastifyRequest } from 'fastify';

/** The route of a request in metrics, logs and spans: `GET /invoices/{id}` of the route table, the pattern of a page, else `unknown`. */
export function routeOf({ requestContext, routeOptions, method }: FastifyRequest): string {
  if (requestContext?.route) return requestContext.route.name;
  const page = routeOptions?.url;
  return page === undefined || page.startsWith('/v1') ? 'unknown' : `${method} ${page}`;
}
