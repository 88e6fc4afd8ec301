import type { Details } from '@svc/kernel';
import { validatorOf } from './ajv.ts';
import type { Class } from './class.ts';
import { faultsOf } from './faults.ts';
import { schemaOf } from './json-schema.ts';

/** More than a person would read, and what an answer holds at most. */
const MOST_FAULTS = 100;

/**
 * What is wrong with a body or query, by field path (`items.0.quantity`): the first hundred faults; undefined when there is none. The
 * compiled schema judges, and ends at its first error; only what it refuses is looked at again, by `faultsOf`, for paths and words.
 */
export function problemsOf(shape: Class, body: unknown): Details | undefined {
  if (validatorOf(shape)(body)) return undefined;
  const found = new Map<string, Set<string>>();
  for (const { path, message } of faultsOf(schemaOf(shape), body).take(MOST_FAULTS)) {
    const name = path || 'body';
    found.set(name, (found.get(name) ?? new Set()).add(message));
  }
  return Object.fromEntries([...found].map(([name, messages]) => [name, [...messages]]));
}
