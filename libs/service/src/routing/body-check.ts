import type { Class } from '@svc/contracts/schema/class';
import { problemsOf } from '@svc/contracts/schema/problems';
import { invalid, type DomainError } from '@svc/kernel';

/** Says whether a body is what `described` describes. The schema is compiled when the first body comes, not at start. */
export function bodyCheck(described: Class): (body: unknown) => true | { error: DomainError } {
  return (body) => {
    const problems = problemsOf(described, body);
    return problems === undefined || { error: invalid(problems) };
  };
}

/** Of a Fastify route: its body is judged before the handler runs. */
export const validatedBody = (described: Class) => ({ schema: { body: {} }, validatorCompiler: () => bodyCheck(described) });
