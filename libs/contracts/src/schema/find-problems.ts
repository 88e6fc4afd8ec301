import { type FieldProblem, type IssueParams, isRawNumber } from '@svc/kernel';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { ajvOfAll } from './ajv.ts';
import { isObject } from './decorators/metadata.ts';
import type { Schema, Words } from './decorators/rule.ts';
import type { Condition } from './decorators/together.ts';
import { keyWords, REQUIRED, ruleOf, TOO_LONG, unknownName, wordsOf } from './words.ts';

/** The name that an unknown one may mean. */
export type Propose = (name: string, known: readonly string[]) => string | undefined;

/**
 * Finds the problems of a value one by one, as far as the caller iterates: by paths such as `items.0.quantity`; that of the value itself is empty. The time for the first hundred is linear in the size of the value,
 * however many there are. (Ajv with `allErrors` copies the errors at every `$ref`.) Reports a list or object that is too large without
 * looking into it.
 */
export function* findProblems(schema: Schema, value: unknown, propose: Propose, path = ''): Generator<FieldProblem> {
  const { properties, additionalProperties, items } = schema;
  if (!properties && !items && typeof additionalProperties !== 'object') return yield* problemsByAjv(schema, value, path);
  const own = ownPart(schema);
  if (isRawNumber(value)) {
    const message = (schema.words as Words | undefined)?.(value) ?? TOO_LONG;
    return yield { field: path, message, rule: 'precision', params: { max: 15 } };
  }
  if (!validatorOf(own)(value)) return yield* problemsByAjv(own, value, path);
  if (Array.isArray(value)) {
    for (let n = 0; n < value.length; n += 1) yield* findProblems(items as Schema, value[n], propose, below(path, String(n)));
  } else if (isObject(value)) {
    yield* properties ? fields(schema, value, propose, path) : pairs(schema, value, propose, path);
  }
}

function* fields(schema: Schema, value: Record<string, unknown>, propose: Propose, path: string): Generator<FieldProblem> {
  const known = schema.properties as Record<string, Schema>;
  for (const name of schema.required as string[]) {
    if (!Object.hasOwn(value, name) || value[name] === undefined)
      yield { field: below(path, name), message: REQUIRED, rule: 'required', params: {} };
  }
  for (const name in value) {
    if (Object.hasOwn(known, name)) continue;
    const nearest = propose(name, Object.keys(known));
    const params: IssueParams = nearest === undefined ? {} : { nearest };
    yield { field: below(path, name), message: unknownName('field', nearest), rule: 'unknown', params };
  }
  const reported = new Set<string>();
  for (const name in known) {
    if (!Object.hasOwn(value, name) || value[name] === undefined) continue;
    for (const problem of findProblems(known[name] as Schema, value[name], propose, below(path, name))) {
      reported.add(problem.field);
      yield problem;
    }
  }
  for (const { problem } of (schema.together ?? []) as Condition[]) {
    const [name = '', message] = problem(value) ?? [];
    if (message !== undefined && !reported.has(below(path, name)))
      yield { field: below(path, name), message, rule: 'combination', params: {} };
  }
}

function* pairs(
  { propertyNames, additionalProperties }: Schema,
  value: Record<string, unknown>,
  propose: Propose,
  path: string,
): Generator<FieldProblem> {
  for (const [name, content] of Object.entries(value)) {
    if (propertyNames) yield* problemsByAjv(propertyNames as Schema, name, below(path, name), keyWords);
    yield* findProblems(additionalProperties as Schema, content, propose, below(path, name));
  }
}

/** Problems of a value by Ajv, with the message of the field's rule, or else one for Ajv's error. */
function* problemsByAjv(
  schema: Schema,
  value: unknown,
  field: string,
  wordsFor: typeof wordsOf | typeof keyWords = wordsOf,
): Generator<FieldProblem> {
  const validate = validatorOf(schema);
  if (validate(value)) return;
  const words = schema.words as Words | undefined;
  const rules = (validate.errors as ErrorObject[]).map((error) => ruleOf(error, schema, value));
  for (const ruled of words ? rules.slice(0, 1) : rules)
    yield { field, message: words?.(value) ?? wordsFor(ruled, value as string), ...ruled };
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
