import type { FieldProblem } from '@svc/kernel';
import { validatorOf } from './ajv.ts';
import type { Class } from './class.ts';
import { findProblems } from './find-problems.ts';
import { schemaOf } from './json-schema.ts';
import { nearestName } from './nearest-name.ts';
import { NO_OBJECT } from './words.ts';

/** As many as an error response holds. */
export const MOST_PROBLEMS = 100;
/** As many unknown names of a body are looked up among the known ones. A batch has a hundred bodies. */
const MOST_PROPOSALS = 10;

/**
 * The first hundred problems of a body or query, by field path (`items.0.quantity`; `body`: of the whole); undefined if it is valid. The compiled
 * schema stops at the first error; only for an invalid value `findProblems` then finds the paths, messages and rules.
 */
export function problemsOf(shape: Class, body: unknown): readonly FieldProblem[] | undefined {
  if (validatorOf(shape)(body)) return undefined;
  let proposals = 0;
  const propose = (name: string, known: readonly string[]): string | undefined =>
    (proposals += 1) > MOST_PROPOSALS ? undefined : nearestName(name, known);
  return findProblems(schemaOf(shape), body, propose)
    .take(MOST_PROBLEMS)
    .map((problem) => (problem.field === '' ? noObject : problem))
    .toArray();
}

/** A body is an object whatever else is wrong with it. */
const noObject: FieldProblem = { field: 'body', message: NO_OBJECT, rule: 'type', params: { types: ['object'] } };
