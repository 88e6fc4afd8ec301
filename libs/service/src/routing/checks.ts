import { takeCalculated } from '@svc/contracts/schema/calculated';
import type { Class } from '@svc/contracts/schema/class';
import { writtenBy } from '@svc/contracts/schema/decorators/metadata';
import { problemsOf } from '@svc/contracts/schema/problems';
import { type QueryResult, queryValidatorOf } from '@svc/contracts/route-query';
import { type RouteName, routes } from '@svc/contracts/routes';
import { fieldsIn, invalid, DomainError, type FieldProblem } from '@svc/kernel';
import type { FastifyRequest, preValidationHookHandler } from 'fastify';

/** Whether these permissions include one. A receipt of one's own is judged where it is voided. */
export const permits = (granted: readonly string[], wanted: string): boolean =>
  granted.includes('*') || granted.includes(wanted) || (wanted === 'receipts:void' && granted.includes('receipts:void_own'));

/** The error if these permissions do not include that of the route; `*` includes every permission. */
export function permissionError(name: RouteName, permissions: readonly string[]): DomainError | undefined {
  const { permission } = routes[name];
  if (permission === null || permits(permissions, permission)) return undefined;
  return new DomainError('insufficient_permissions', `This key lacks the permission ${permission}. Use one that has it.`);
}

/** A validator for Fastify that returns true or the error `validation_error`. The schema is compiled for the first body, not at the start. */
export function bodyCheck(described: Class): (body: unknown) => true | { error: DomainError } {
  return (body) => {
    const problems = problemsOf(described, body);
    return problems === undefined || { error: invalid(problems) };
  };
}

/** A reader of what an operator sends, such as a query. Throws the error `validation_error`, which names the wrong fields. */
export function reading<T extends object>(described: Class<T>): (given: unknown) => T {
  const check = bodyCheck(described);
  return (given) => {
    const verdict = check(given);
    if (verdict !== true) throw verdict.error;
    return given as T;
  };
}

/**
 * Options of a Fastify route whose body is validated before the handler runs. The calculated fields of a resource that it writes are not in the
 * body then but in `request.calculated`: the handler compares them, once it knows the resource.
 */
export const validatedBody = (described: Class) => ({
  schema: { body: {} },
  validatorCompiler: () => bodyCheck(described),
  ...(writtenBy(described) ? { preValidation: takingCalculated(described) } : {}),
});

const takingCalculated =
  (described: Class): preValidationHookHandler =>
  (request, _reply, done) => {
    request.calculated = takeCalculated(described, request.body);
    done();
  };

interface Checked {
  validate: (raw: Record<string, unknown>) => QueryResult;
  /** The result for a request without parameters. */
  bare?: QueryResult;
}

/** Replaces the request's query by the validated one of the route; returns the error if it is invalid. */
export function createQueryCheck(): (request: FastifyRequest, route: { query: Class }) => DomainError | undefined {
  const known = new Map<Class, Checked>();
  return (request, route) => {
    let checked = known.get(route.query);
    if (checked === undefined) known.set(route.query, (checked = { validate: queryValidatorOf(route.query) }));
    const isBare = request.raw.url?.includes('?') !== true;
    const result = isBare ? (checked.bare ??= checked.validate({})) : checked.validate(request.query as Record<string, unknown>);
    if ('problems' in result) return badQuery(result.problems);
    request.query = result.value;
    return undefined;
  };
}

export const badQuery = (problems: readonly FieldProblem[]): DomainError =>
  new DomainError('invalid_request', `These query parameters are not valid: ${fieldsIn(problems)}. See details.`, problems);
