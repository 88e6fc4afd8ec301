import { queryValidator } from '@svc/contracts/route-query';
import type { FastifyRequest } from 'fastify';

/** The query as the edge gives it to the service. Throws for one that the edge would refuse. */
export function validQuery({ routeOptions: { config }, query }: FastifyRequest): Record<string, unknown> {
  const checked = queryValidator(config.serves ?? 'GET /account')(query as Record<string, unknown>);
  if ('value' in checked) return checked.value;
  throw new Error(JSON.stringify(checked.problems));
}
