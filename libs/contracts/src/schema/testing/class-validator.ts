import { type Details, isRawNumber } from '@svc/kernel';
import { validateSync, type ValidationError } from 'class-validator';
import type { Class } from '../class.ts';
import { isObject } from '../decorators/metadata.ts';
import { nestedOf } from '../decorators/nested.ts';
import type { Schema } from '../decorators/rule.ts';
import type { Condition } from '../decorators/together.ts';
import { schemaOf } from '../json-schema.ts';
import { nearestName } from '../nearest-name.ts';
import { NO_OBJECT, unknownName } from '../words.ts';

/** The problems that class-validator finds, by field path; empty if there are none. Takes some hundred times as long as the schema. */
export function classValidatorProblems(shape: Class, value: unknown): Details {
  if (!isObject(value)) return { body: [NO_OBJECT] };
  const found = new Map<string, Set<string>>();
  const report = (path: string, message: string): void => void found.set(path, (found.get(path) ?? new Set()).add(message));
  const instance = instanceOf(shape, value, '', report);
  const errors = validateSync(instance, { forbidUnknownValues: false, validationError: { target: false } });
  reportAll(errors, '', report);
  return Object.fromEntries([...found].map(([path, messages]) => [path, [...messages]]));
}

type Report = (path: string, message: string) => void;

/** `value` and its nested objects as instances of their classes, which class-validator needs. Reports unknown fields. */
function instanceOf(shape: Class, value: Record<string, unknown>, above: string, report: Report): object {
  const schema = schemaOf(shape);
  const known = schema.properties as Record<string, Schema>;
  for (const { problem } of (schema.together ?? []) as Condition[]) {
    const [field, message] = problem(value) ?? [];
    if (field !== undefined && message !== undefined) report(above + field, message);
  }
  const instance = Object.create(shape.prototype as object) as Record<string, unknown>;
  for (const [field, content] of Object.entries(value)) {
    if (!Object.hasOwn(known, field)) report(above + field, unknownName('field', nearestName(field, Object.keys(known))));
    else instance[field] = held(nestedOf(shape.prototype as object, field), content, above + field, report);
  }
  return instance;
}

function held(shape: Class | undefined, content: unknown, path: string, report: Report): unknown {
  if (!shape) return content;
  if (!Array.isArray(content)) return isObject(content) ? instanceOf(shape, content, `${path}.`, report) : notNested(content);
  // class-validator accepts null for a nested object in a list, but not false.
  return content.map((item, index) => (isObject(item) ? instanceOf(shape, item, `${path}.${index}.`, report) : false));
}

/** class-validator would take raw JSON for an object without a class. */
const notNested = (content: unknown): unknown => (isRawNumber(content) ? false : content);

function reportAll(errors: readonly ValidationError[], above: string, report: Report): void {
  for (const { property, constraints, children } of errors) {
    const path = above + property;
    for (const message of Object.values(constraints ?? {})) report(path, message);
    reportAll(children ?? [], `${path}.`, report);
  }
}
