import { JSONSchema } from 'class-validator-jsonschema';

/** A rule over several fields of an object. */
export interface Condition {
  /** The rule in words, one sentence, for the published document: generators of clients do not understand it as JSON Schema. */
  rule: string;
  /** The rule as a function, for validation: the field to report and what to send instead; undefined if the object is valid. */
  problem: (object: Record<string, unknown>) => readonly [field: string, message: string] | undefined;
}

/** Adds rules over several fields to a class. class-validator has none: it checks fields one by one and skips those that are left out. */
export const Together = (...conditions: readonly Condition[]): ClassDecorator =>
  JSONSchema({ together: conditions } as Parameters<typeof JSONSchema>[0]) as ClassDecorator;

/** The rule that exactly one of two fields is given. */
export const eitherOf = (one: string, other: string): Condition => ({
  rule: `Either \`${one}\` or \`${other}\` is given.`,
  problem: (object) =>
    (object[one] === undefined) === (object[other] === undefined) ? [one, `Send either ${one} or ${other}.`] : undefined,
});
