import { JSONSchema } from 'class-validator-jsonschema';
import type { Schema } from './rule.ts';

/** What several fields of an object have to fulfil together. */
export interface Condition {
  /** For the reader of the published document. */
  schema: Schema;
  /** For the judge: the field to name, and what to send instead. */
  problem: (object: Record<string, unknown>) => readonly [field: string, message: string] | undefined;
}

/** Conditions of a class, for which class-validator has no word: it judges fields one by one and skips those left out. */
export const Together = (...conditions: readonly Condition[]): ClassDecorator =>
  JSONSchema({ together: conditions } as Parameters<typeof JSONSchema>[0]) as ClassDecorator;

/** Exactly one of two fields. */
export const eitherOf = (one: string, other: string): Condition => ({
  schema: { oneOf: [{ required: [one] }, { required: [other] }] },
  problem: (object) =>
    (object[one] === undefined) === (object[other] === undefined) ? [one, `Send either ${one} or ${other}.`] : undefined,
});
