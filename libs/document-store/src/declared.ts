import { isRawNumber } from '@svc/kernel';
import type { Condition, Filter, Index, Query, Scalar, Sort } from './port.ts';

/** A collection as this process declared it: the fields of its indexes, which filters and sorts may name. */
export interface Declared {
  /** For error messages. */
  readonly name: string;
  readonly indexes: readonly Index[];
  readonly texts: readonly string[];
}

export type Comparison = '$gt' | '$gte' | '$lt' | '$lte';
/** One condition of a filter. All terms must hold. */
export type Term =
  | { field: string; operator: '$eq'; operand: Scalar }
  | { field: string; operator: '$in'; operand: Scalar[] }
  | { field: string; operator: Comparison; operand: Exclude<Scalar, null> };

const isSame = (one: Index, other: Index): boolean => one.fields.join() === other.fields.join() && !one.unique === !other.unique;

/** The known indexes followed by the new ones of `more`; the same list where none is new. */
export function including(known: readonly Index[], more: readonly Index[]): readonly Index[] {
  return more.reduce((all, index) => (all.some((one) => isSame(one, index)) ? all : [...all, index]), known);
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;
const MAX_IN = 10_000;
const MAX_CLAIM = 10_000;
const COMPARISONS: readonly string[] = ['$gt', '$gte', '$lt', '$lte'] satisfies Comparison[];

/** Throws on a name that some adapter does not accept for a database, a collection or an indexed field. */
export function checkNames(database: string, collection: string, indexes: readonly Index[]): void {
  for (const name of [database, collection, ...indexes.flatMap(({ fields }) => fields)])
    if (!NAME.test(name)) throw new Error(`${name} is no name for a collection or an indexed field`);
}

/** The filter as terms; throws on a field without an index and on an operator that the port does not have. */
export const termsOf = (declared: Declared, filter: Filter): Term[] =>
  Object.entries(filter).flatMap(([field, condition]) => {
    checkField(declared, field);
    return fieldTerms(field, condition);
  });

/** The fields of a sort with their directions; throws on a field without an index. */
export const sortOf = (declared: Declared, sort: Sort): [field: string, direction: 1 | -1][] =>
  Object.entries(sort).map(([field, direction]) => {
    checkField(declared, field);
    return [field, direction];
  });

/** How many documents to skip and how many to return at most. */
export function boundsOf({ skip = 0, limit = Infinity }: Query): { skip: number; limit: number } {
  if (!(skip >= 0 && limit >= 0)) throw new Error('skip and limit are counts');
  return { skip, limit };
}
export const claimLimit = ({ limit = MAX_CLAIM }: Query): number => boundsOf({ limit }).limit;

/** An indexed field's value: absent reads as null. Throws when it is not a scalar. */
export function scalar(value: unknown): Scalar {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (isRawNumber(value)) return value as Scalar;
  throw new Error(`an indexed field holds a scalar, not ${Array.isArray(value) ? 'an array' : `a ${typeof value}`}`);
}

export const isEquality = (condition: Condition | undefined): boolean =>
  condition !== undefined && (!isObject(condition) || condition.$eq !== undefined);

const isObject = (condition: Condition | undefined): condition is Exclude<Condition, Scalar> =>
  typeof condition === 'object' && condition !== null && !isRawNumber(condition);

/** Throws on one without an index that is no text. */
export function checkFields(declared: Declared, fields: readonly string[]): void {
  for (const field of fields) if (!declared.texts.includes(field)) checkField(declared, field);
}

function checkField({ name, indexes }: Declared, field: string): void {
  if (field === '_id' || field === 'version' || indexes.some(({ fields }) => fields.includes(field))) return;
  throw new Error(`no index of ${name} declares ${field}`);
}

function fieldTerms(field: string, condition: Condition | undefined): Term[] {
  if (condition === undefined) throw new Error(`the filter names ${field} without a value`);
  if (!isObject(condition)) return [{ field, operator: '$eq', operand: scalar(condition) }];
  const terms = Object.entries(condition).map(([operator, operand]) => term(field, operator, operand));
  if (terms.length === 0) throw new Error(`the filter names ${field} without a condition`);
  return terms;
}

function term(field: string, operator: string, operand: unknown): Term {
  if (operator === '$eq') return { field, operator, operand: scalar(operand) };
  if (operator === '$in') {
    if (!Array.isArray(operand) || operand.length > MAX_IN) throw new Error(`$in takes a list of at most ${MAX_IN} values`);
    return { field, operator, operand: operand.map(scalar) };
  }
  if (!COMPARISONS.includes(operator)) throw new Error(`a filter has no operator ${operator}`);
  const value = scalar(operand);
  if (value === null) throw new Error(`${field} cannot be ${operator} nothing`);
  return { field, operator: operator as Comparison, operand: value };
}
