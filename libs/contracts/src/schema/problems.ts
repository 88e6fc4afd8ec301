import type { Details } from '@svc/kernel';
import { validatorOf } from './ajv.ts';
import type { Class } from './class.ts';
import { findProblems } from './find-problems.ts';
import { schemaOf } from './json-schema.ts';

/** As many as an error response holds. */
export const MOST_PROBLEMS = 100;

/**
 * The first hundred problems of a body or query, by field path (`items.0.quantity`); undefined if it is valid. The compiled schema stops at
 * the first error; only for an invalid value `findProblems` then finds the paths and messages.
 */
export function problemsOf(shape: Class, body: unknown): Details | undefined {
  if (validatorOf(shape)(body)) return undefined;
  const found = new Map<string, Set<string>>();
  for (const { path, message } of findProblems(schemaOf(shape), body).take(MOST_PROBLEMS)) {
    const name = path || 'body';
    found.set(name, (found.get(name) ?? new Set()).add(message));
  }
  return Object.fromEntries([...found].map(([name, messages]) => [name, [...messages]]));
}
