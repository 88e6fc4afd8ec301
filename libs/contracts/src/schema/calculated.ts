import { type FieldProblem, invalid, decimal, isRawNumber, numberText, toText } from '@svc/kernel';
import type { Class } from './class.ts';
import { isObject, isLive, writtenBy } from './decorators/metadata.ts';
import { nestedOf } from './decorators/nested.ts';
import type { Schema } from './decorators/rule.ts';
import { schemaOf } from './json-schema.ts';
import { MOST_PROBLEMS } from './problems.ts';
import { canonicalTimestamp } from './decorators/times.ts';
import { tidyText } from './decorators/text.ts';

type Step = string | number;

/** A calculated field as it was sent. */
interface Sent {
  path: readonly Step[];
  value: unknown;
  /** The class of the object, or of the objects of the list, that the field is; undefined for other fields. */
  shape: Class | undefined;
  /** What is answered where the resource has no such value. */
  problem: Pick<FieldProblem, 'message' | 'rule'>;
}
/** The calculated fields of a body. */
export type Calculated = readonly Sent[];

const CALCULATED = { rule: 'calculated', message: 'is calculated: leave it out, or send the value that the resource has.' } as const;
const FIXED = { rule: 'fixed', message: 'cannot be changed: leave it out.' } as const;

/**
 * Takes the calculated fields out of a body, in place: those that the resource has and the body's class does not, also of its nested objects.
 * undefined where there are none, and for a class without `@Writes`. Linear in the size of the body, which need not be valid.
 */
export function takeCalculated(request: Class, body: unknown): Calculated | undefined {
  const written = writtenBy(request);
  if (!written) return undefined;
  const part = parts.get(request) ?? partOf(request, written.resource);
  parts.set(request, part);
  const taken: Sent[] = [];
  const problem = (path: Step[]): Sent['problem'] => (path.length === 1 && written.fixed.includes(path[0] as string) ? FIXED : CALCULATED);
  take(body, part, [], (path, value, shape) => taken.push({ path, value, shape, problem: problem(path) }));
  return taken.length > 0 ? taken : undefined;
}

/** What is calculated of a resource or of an object in it. */
interface Part {
  resource: Class;
  calculated: readonly string[];
  nested: readonly (readonly [string, Part])[];
}

/** Of requests. */
const parts = new WeakMap<Class, Part>();

function partOf(request: Class, resource: Class): Part {
  const written = schemaOf(request).properties as Record<string, Schema>;
  const shown = Object.keys(schemaOf(resource).properties as object);
  const nested = shown.flatMap((name) => {
    const [given, made] = [request, resource].map(({ prototype }) => nestedOf(prototype as object, name));
    const part = given && made ? partOf(given, made) : undefined;
    return part && part.calculated.length + part.nested.length > 0 ? [[name, part] as const] : [];
  });
  return { resource, calculated: shown.filter((name) => !Object.hasOwn(written, name)), nested };
}

function take(body: unknown, part: Part, path: Step[], found: (path: Step[], value: unknown, shape: Class | undefined) => void): void {
  if (!isObject(body)) return;
  const prototype = part.resource.prototype as object;
  for (const name of part.calculated) {
    if (!Object.hasOwn(body, name)) continue;
    if (!isLive(prototype, name)) found([...path, name], body[name], nestedOf(prototype, name));
    Reflect.deleteProperty(body, name);
  }
  for (const [name, inside] of part.nested) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    if (Array.isArray(value)) value.forEach((one, n) => take(one, inside, [...path, name, n], found));
    else take(value, inside, [...path, name], found);
  }
}

/**
 * Throws validation_error naming the calculated fields, a hundred at most, whose value neither the resource that the command makes (`next`) has, nor the present one
 * (`now`; null: there is none). In a list of objects it may be that of any of them now, since they may have moved. `next` is called only where
 * `now` does not have all values. Linear in the sizes of the body and of both resources.
 */
export function checkCalculated(sent: Calculated | undefined, now: object | null, next: () => object): void {
  if (sent === undefined) return;
  const known = now ? knownIn(now) : () => false;
  const left = sent.filter((one) => !known(one));
  if (left.length === 0) return;
  const made = next();
  const wrong = left.filter(({ path, value, shape }) => !isSame(value, at(made, path), shape)).slice(0, MOST_PROBLEMS);
  if (wrong.length > 0) throw invalid(wrong.map(({ path, problem }) => ({ field: path.join('.'), params: {}, ...problem })));
}

/** Whether the resource has the value, there or in the same field of another object of the list. */
function knownIn(now: object): (one: Sent) => boolean {
  const fields = new Map<string, Set<string>>();
  const formsIn = (path: readonly Step[]): Set<string> => {
    const field = path.map((step) => (typeof step === 'number' ? '*' : step)).join('.');
    const known = fields.get(field) ?? new Set([...valuesAt(now, path)].flatMap(formsOfShown));
    fields.set(field, known);
    return known;
  };
  return ({ path, value, shape }) =>
    isSame(value, at(now, path), shape) ||
    (path.some((step) => typeof step === 'number') && formsOfSent(value).some((form) => formsIn(path).has(form)));
}

const inside = (value: unknown, step: Step): unknown => (value as Record<Step, unknown> | null | undefined)?.[step];
const at = (resource: object, path: readonly Step[]): unknown => path.reduce<unknown>(inside, resource);

/** The values of a field in all objects of the lists on its path. */
function* valuesAt(value: unknown, [step, ...rest]: readonly Step[]): Generator<unknown> {
  if (step === undefined) yield value;
  else if (typeof step === 'number') for (const one of (value ?? []) as unknown[]) yield* valuesAt(one, rest);
  else yield* valuesAt(inside(value, step), rest);
}

/**
 * Whether a value that was sent is the one that a resource shows, as clients write it that have read it: a number as any decimal of the same value
 * or as the nearest double, a timestamp in any form, an object without fields that the client does not know, null for a field that is absent.
 * `shape`: the class of the object or of the objects of a list. Linear in the size of what was sent.
 */
export function isSame(sent: unknown, shown: unknown, shape: Class | undefined): boolean {
  if (Array.isArray(sent))
    return Array.isArray(shown) && sent.length === shown.length && sent.every((one, n) => isSame(one, shown[n], shape));
  if (isObject(sent)) {
    if (!isObject(shown)) return false;
    const prototype = shape?.prototype as object | undefined;
    return Object.entries(sent).every(
      ([name, value]) =>
        (prototype && isLive(prototype, name)) ||
        isSame(value, Object.hasOwn(shown, name) ? shown[name] : undefined, prototype && nestedOf(prototype, name)),
    );
  }
  const forms = formsOfShown(shown);
  return formsOfSent(sent).some((form) => forms.includes(form));
}

/** Texts of a plain value that was sent: it is the one that is shown if both have a text in common. */
export function formsOfSent(sent: unknown): string[] {
  if (typeof sent === 'string') return [...textForms(sent), ...numberForm(sent)];
  return isNumber(sent) ? numberForm(numberText(sent)) : plainForm(sent);
}

/** The same of a value that a resource shows. A client whose numbers are doubles sends the nearest one of a longer number. */
export function formsOfShown(shown: unknown): string[] {
  if (typeof shown === 'string') return textForms(shown);
  if (!isNumber(shown)) return plainForm(shown);
  const text = numberText(shown);
  return [...numberForm(text), ...numberForm(String(Number(text)))];
}

const isNumber = (value: unknown): boolean => typeof value === 'number' || isRawNumber(value);

/** No amount, count or version is longer. */
const NUMBER = /^-?\d{1,40}(?:\.\d{1,40})?$/;
const numberForm = (text: string): string[] => (NUMBER.test(text) ? [`number ${toText(decimal(text))}`] : []);

function textForms(text: string): string[] {
  const moment = canonicalTimestamp(text);
  return moment === undefined ? [`text ${tidyText(text)}`] : [`text ${text}`, `moment ${moment}`];
}

const plainForm = (value: unknown): string[] => (typeof value === 'object' && value !== null ? [] : [`plain ${String(value ?? null)}`]);
