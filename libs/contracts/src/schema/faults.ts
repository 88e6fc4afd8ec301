import { isRawNumber } from '@svc/kernel';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { ajvOfAll } from './ajv.ts';
import { isObject } from './decorators/metadata.ts';
import type { Schema, Words } from './decorators/rule.ts';
import type { Condition } from './decorators/together.ts';
import { REQUIRED, TOO_LONG, UNKNOWN, wordsOf } from './words.ts';

/** One thing that is wrong with a value, at a path such as `items.0.quantity`; the path of the whole is empty. */
export interface Fault {
  path: string;
  message: string;
}

/**
 * What is wrong with a value of a schema of this library, one by one and only as far as the reader asks: the work until the first
 * hundred is linear in the size of the value, however many there are. (Ajv with `allErrors` copies what it has found so far at every
 * `$ref`.) A list or object beyond its limit is named by itself, and what it holds is not looked at.
 */
export function* faultsOf(schema: Schema, value: unknown, path = ''): Generator<Fault> {
  const { properties, additionalProperties, items } = schema;
  if (!properties && !items && typeof additionalProperties !== 'object') return yield* judged(schema, value, path);
  const own = ownPart(schema);
  if (isRawNumber(value)) return yield { path, message: (schema.words as Words | undefined)?.(value) ?? TOO_LONG };
  if (!validatorOf(own)(value)) return yield* judged(own, value, path);
  if (Array.isArray(value)) {
    for (let n = 0; n < value.length; n += 1) yield* faultsOf(items as Schema, value[n], below(path, String(n)));
  } else if (isObject(value)) {
    yield* properties ? fields(schema, value, path) : pairs(schema, value, path);
  }
}

function* fields(schema: Schema, value: Record<string, unknown>, path: string): Generator<Fault> {
  const known = schema.properties as Record<string, Schema>;
  for (const name of schema.required as string[]) {
    if (!Object.hasOwn(value, name) || value[name] === undefined) yield { path: below(path, name), message: REQUIRED };
  }
  for (const name in value) if (!Object.hasOwn(known, name)) yield { path: below(path, name), message: UNKNOWN };
  const told = new Set<string>();
  for (const name in known) {
    if (!Object.hasOwn(value, name) || value[name] === undefined) continue;
    for (const fault of faultsOf(known[name] as Schema, value[name], below(path, name))) {
      told.add(fault.path);
      yield fault;
    }
  }
  for (const { problem } of (schema.together ?? []) as Condition[]) {
    const [name = '', message] = problem(value) ?? [];
    if (message !== undefined && !told.has(below(path, name))) yield { path: below(path, name), message };
  }
}

function* pairs({ propertyNames, additionalProperties }: Schema, value: Record<string, unknown>, path: string): Generator<Fault> {
  for (const [name, content] of Object.entries(value)) {
    if (propertyNames) for (const { message } of judged(propertyNames as Schema, name, '')) yield { path: below(path, name), message };
    yield* faultsOf(additionalProperties as Schema, content, below(path, name));
  }
}

/** By the words of the field's own rule where it has some; else by those for what Ajv says. */
function* judged(schema: Schema, value: unknown, path: string): Generator<Fault> {
  const validate = validatorOf(schema);
  if (validate(value)) return;
  const words = schema.words as Words | undefined;
  if (words) yield { path, message: words(value) };
  else for (const error of validate.errors as ErrorObject[]) yield { path, message: wordsOf(error, value) };
}

const below = (path: string, step: string): string => (path === '' ? step : `${path}.${step}`);

const ownParts = new WeakMap<Schema, Schema>();
/** A schema without what it says of the values inside. */
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
/** Compiled when first asked for; fields of one form share theirs. */
function validatorOf(schema: Schema): ValidateFunction {
  let validate = validators.get(schema);
  if (!validate) {
    const { title: _, description: _1, words: _2, ...judging } = schema;
    const form = JSON.stringify(judging);
    validate = alike.get(form) ?? ajvOfAll().compile(judging);
    alike.set(form, validate);
    validators.set(schema, validate);
  }
  return validate;
}
