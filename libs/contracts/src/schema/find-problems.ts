import { isRawNumber } from '@svc/kernel';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { ajvOfAll } from './ajv.ts';
import { isObject } from './decorators/metadata.ts';
import type { Schema, Words } from './decorators/rule.ts';
import type { Condition } from './decorators/together.ts';
import { REQUIRED, TOO_LONG, UNKNOWN, wordsOf } from './words.ts';

/** One problem of a value at a path such as `items.0.quantity`; the path of the value itself is empty. */
export interface Problem {
  path: string;
  message: string;
}

/**
 * Finds the problems of a value one by one, as far as the caller iterates. The time for the first hundred is linear in the size of the value,
 * however many there are. (Ajv with `allErrors` copies the errors at every `$ref`.) Reports a list or object that is too large without
 * looking into it.
 */
export function* findProblems(schema: Schema, value: unknown, path = ''): Generator<Problem> {
  const { properties, additionalProperties, items } = schema;
  if (!properties && !items && typeof additionalProperties !== 'object') return yield* problemsByAjv(schema, value, path);
  const own = ownPart(schema);
  if (isRawNumber(value)) return yield { path, message: (schema.words as Words | undefined)?.(value) ?? TOO_LONG };
  if (!validatorOf(own)(value)) return yield* problemsByAjv(own, value, path);
  if (Array.isArray(value)) {
    for (let n = 0; n < value.length; n += 1) yield* findProblems(items as Schema, value[n], below(path, String(n)));
  } else if (isObject(value)) {
    yield* properties ? fields(schema, value, path) : pairs(schema, value, path);
  }
}

function* fields(schema: Schema, value: Record<string, unknown>, path: string): Generator<Problem> {
  const known = schema.properties as Record<string, Schema>;
  for (const name of schema.required as string[]) {
    if (!Object.hasOwn(value, name) || value[name] === undefined) yield { path: below(path, name), message: REQUIRED };
  }
  for (const name in value) if (!Object.hasOwn(known, name)) yield { path: below(path, name), message: UNKNOWN };
  const reported = new Set<string>();
  for (const name in known) {
    if (!Object.hasOwn(value, name) || value[name] === undefined) continue;
    for (const problem of findProblems(known[name] as Schema, value[name], below(path, name))) {
      reported.add(problem.path);
      yield problem;
    }
  }
  for (const { problem } of (schema.together ?? []) as Condition[]) {
    const [name = '', message] = problem(value) ?? [];
    if (message !== undefined && !reported.has(below(path, name))) yield { path: below(path, name), message };
  }
}

function* pairs({ propertyNames, additionalProperties }: Schema, value: Record<string, unknown>, path: string): Generator<Problem> {
  for (const [name, content] of Object.entries(value)) {
    if (propertyNames)
      for (const { message } of problemsByAjv(propertyNames as Schema, name, '')) yield { path: below(path, name), message };
    yield* findProblems(additionalProperties as Schema, content, below(path, name));
  }
}

/** Problems of a value by Ajv, with the message of the field's rule, or else one for Ajv's error. */
function* problemsByAjv(schema: Schema, value: unknown, path: string): Generator<Problem> {
  const validate = validatorOf(schema);
  if (validate(value)) return;
  const words = schema.words as Words | undefined;
  if (words) yield { path, message: words(value) };
  else for (const error of validate.errors as ErrorObject[]) yield { path, message: wordsOf(error, value) };
}

const below = (path: string, step: string): string => (path === '' ? step : `${path}.${step}`);

const ownParts = new WeakMap<Schema, Schema>();
/** A schema without the rules for nested values. */
function ownPart(schema: Schema): Schema {
  let own = ownParts.get(schema);
  if (!own) {
    const { properties: _, required: _1, additionalProperties: _2, propertyNames: _3, items: _4, together: _5, ...rest } = schema;
    own = rest;
    ownParts.set(schema, own);
  }
  return own;
}

const validators = new WeakMap<Schema, ValidateFunction>();
const alike = new Map<string, ValidateFunction>();
/** The validator of a schema, compiled at the first use; equal schemas share one. */
function validatorOf(schema: Schema): ValidateFunction {
  let validate = validators.get(schema);
  if (!validate) {
    const { title: _, description: _1, words: _2, ...rules } = schema;
    const form = JSON.stringify(rules);
    validate = alike.get(form) ?? ajvOfAll().compile(rules);
    alike.set(form, validate);
    validators.set(schema, validate);
  }
  return validate;
}
