import { ValidateNested } from 'class-validator';
import type { Class } from '../class.ts';
import { schemaOf } from '../json-schema.ts';
import { isObject } from './metadata.ts';
import { rule, type Schema } from './rule.ts';
import { isPlainText, listed } from './text.ts';

const nested = Symbol('nested');
/** The class of a nested object or of the objects of a list; undefined for other fields. */
export const nestedOf = (prototype: object, property: string): Class | undefined =>
  (Reflect.getMetadata(nested, prototype, property) as (() => Class) | undefined)?.();

const holding = (of: () => Class, check: PropertyDecorator): PropertyDecorator => {
  return (target, property) => {
    Reflect.defineMetadata(nested, of, target, property);
    ValidateNested({ message: 'Send an object.' })(target, property as string);
    check(target, property);
  };
};

export const Nested = (of: () => Class): PropertyDecorator =>
  holding(of, rule({ name: 'isObject', schema: () => schemaOf(of()), holds: isObject, message: 'Send an object.' }));

export interface Bounds {
  min?: number;
  max: number;
}

/** A list of texts of 1 to `most` characters each, as `IsText`. */
export const TextList = (most: number, bounds: Bounds): PropertyDecorator =>
  textList({ type: 'string', minLength: 1, maxLength: most, format: 'visible' }, isPlainText(most), bounds);

/** A list of texts of any content. */
export const AnyTextList = (most: number, bounds: Bounds): PropertyDecorator =>
  textList({ type: 'string', maxLength: most }, (text) => [...text].length <= most, bounds);

const textList = (items: Schema, holds: (text: string) => boolean, { min = 0, max }: Bounds): PropertyDecorator =>
  rule({
    name: 'isTextList',
    schema: () => ({ type: 'array', minItems: min, maxItems: max, items }),
    holds: (value) => isListOf(value, min, max) && value.every((text) => typeof text === 'string' && holds(text)),
    message: `Send a list of ${min} to ${max} texts.`,
  });

/** A list of distinct names of a closed list. */
export const SomeOf = (values: readonly string[], { min = 0, max }: Bounds): PropertyDecorator =>
  rule({
    name: 'someOf',
    schema: () => ({ type: 'array', minItems: min, maxItems: max, uniqueItems: true, items: listed(values) }),
    holds: (value) =>
      isListOf(value, min, max) && new Set(value).size === value.length && value.every((name) => values.includes(name as string)),
    message: `Send a list of ${min} to ${max} of these, each once: ${values.join(', ')}.`,
  });

const list = ({ min = 0, max }: Bounds, items: () => Schema, isItem: (item: unknown) => boolean): PropertyDecorator =>
  rule({
    name: 'isList',
    schema: () => ({ type: 'array', minItems: min, maxItems: max, items: items() }),
    holds: (value) => isListOf(value, min, max) && value.every(isItem),
    message: `Send a list of ${min} to ${max} objects.`,
  });

const isListOf = (value: unknown, min: number, max: number): value is unknown[] =>
  Array.isArray(value) && value.length >= min && value.length <= max;

/** A list of objects of another class. Each is validated under its own path (`items.0`). */
export const NestedList = (of: () => Class, { min = 0, max }: Bounds): PropertyDecorator =>
  holding(
    of,
    list(
      { min, max },
      () => ({ ...schemaOf(of()), words: () => 'Send an object.' }),
      () => true,
    ),
  );

/** A list of objects of any shape, for objects that are validated later, one by one. */
export const AnyObjects = (bounds: Bounds): PropertyDecorator => list(bounds, () => ({ type: 'object', plain: true }), isObject);

/** A list of objects, each of one of several classes. Keyword `union`, which does not validate: the name of any of them in the published document. */
export const RowsOf = (union: string, of: () => readonly Class[], bounds: Bounds): PropertyDecorator =>
  list(bounds, () => ({ union, anyOf: of().map(schemaOf) }), isObject);

/** An object with any fields of one of several classes. Keyword `fieldsOf`, which does not validate: makes their schemas. */
export const FieldsOf = (of: () => readonly Class[]): PropertyDecorator =>
  rule({
    name: 'isObject',
    schema: () => ({ type: 'object', plain: true, fieldsOf: () => of().map(schemaOf) }),
    holds: isObject,
    message: 'Send an object.',
  });

/** An object of one of several classes. */
export const EitherShape = (of: () => readonly Class[]): PropertyDecorator =>
  rule({ name: 'eitherShape', schema: () => ({ anyOf: of().map(schemaOf) }), holds: isObject, message: 'Send an object.' });
