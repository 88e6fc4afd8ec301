import { type Details, detailsOf } from '@svc/kernel';
import type { Class } from '../class.ts';
import { problemsOf } from '../problems.ts';

/** The messages of `problemsOf` by field; undefined if the body is valid. */
export function problemDetails(shape: Class, body: unknown): Details | undefined {
  const problems = problemsOf(shape, body);
  return problems && detailsOf(problems);
}
