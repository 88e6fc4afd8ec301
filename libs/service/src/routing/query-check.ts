import { type QueryResult, queryValidator } from '@svc/contracts/http/query';
import type { RouteName } from '@svc/contracts/routes';
import { type Details, DomainError } from '@svc/kernel';
import type { FastifyRequest } from 'fastify';

interface Checked {
  validate: (raw: Record<string, unknown>) => QueryResult;
  /** Of a request without parameters: the same each time. */
  bare?: QueryResult;
}

/** Step 7: gives the request its query as the route describes it, or says what is wrong with it. */
export function createQueryCheck(): (request: FastifyRequest, route: RouteName) => DomainError | undefined {
  const known = new Map<RouteName, Checked>();
  return (request, route) => {
    let checked = known.get(route);
    if (checked === undefined) known.set(route, (checked = { validate: queryValidator(route) }));
    const isBare = request.raw.url?.includes('?') !== true;
    const result = isBare ? (checked.bare ??= checked.validate({})) : checked.validate(request.query as Record<string, unknown>);
    if ('problems' in result) return badQuery(result.problems);
    request.query = result.value;
    return undefined;
  };
}

const badQuery = (problems: Details): DomainError =>
  new DomainError('invalid_request', `These query parameters are not valid: ${Object.keys(problems).join(', ')}. See details.`, problems);
