import type { Condition, Filter, Sort } from '../port.ts';
import { stored, type Stored } from './scalar.ts';
import { columnOf, type Table } from './table.ts';

/** A condition in SQL with the values of its parameters. */
export interface Where {
  text: string;
  values: Stored[];
}

/** One step of an order; the last is always the rowid, so that an order is total. */
export interface Step {
  column: string;
  descending: boolean;
}

const MAX_IN = 10_000;
const comparisons = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' } as const;

/** The filter in SQL; throws on a field that no index declares and on an operator that the port does not have. */
export function whereOf(table: Table, filter: Filter): Where {
  const terms = Object.entries(filter).flatMap(([field, condition]) => termsOf(declared(table, field), condition));
  return both(...terms);
}

export const both = (...terms: Where[]): Where => ({
  text: terms.length === 0 ? 'TRUE' : terms.map(({ text }) => text).join(' AND '),
  values: terms.flatMap(({ values }) => values),
});

export const orderText = (steps: Step[]): string =>
  steps.map(({ column, descending }) => `${column} ${descending ? 'DESC' : 'ASC'}`).join();

export const orderOf = (table: Table, sort: Sort): Step[] =>
  ended(Object.entries(sort).map(([field, direction]) => ({ column: declared(table, field), descending: direction === -1 })));

/** For a stream without a sort: the order in which the index that serves the filter has its rows. */
export function naturalOrder(table: Table, filter: Filter): Step[] {
  let best = { score: 0, rest: [] as string[] };
  for (const { fields } of [{ fields: ['_id'] }, ...table.indexes]) {
    const fixed = fields.findIndex((field) => !isEquality(filter[field]));
    const equal = fixed === -1 ? fields.length : fixed;
    const score = equal + (filter[fields[equal] ?? ''] === undefined ? 0 : 0.5);
    if (score > best.score) best = { score, rest: fields.slice(equal) };
  }
  return ended(best.rest.map((field) => ({ column: columnOf(field), descending: false })));
}

const ended = (steps: Step[]): Step[] => [...steps, { column: 'rowid', descending: steps.at(-1)?.descending ?? false }];

const isObject = (condition: Condition | undefined): condition is Exclude<Condition, string | number | boolean | null> =>
  typeof condition === 'object' && condition !== null && !('rawJSON' in condition);
const isEquality = (condition: Condition | undefined): boolean =>
  condition !== undefined && (!isObject(condition) || condition.$eq !== undefined);

function declared(table: Table, field: string): string {
  if (field === '_id' || field === 'version' || table.indexes.some(({ fields }) => fields.includes(field))) return columnOf(field);
  throw new Error(`no index of ${table.name} declares ${field}`);
}

function termsOf(column: string, condition: Condition | undefined): Where[] {
  if (condition === undefined) throw new Error(`the filter names ${column} without a value`);
  if (!isObject(condition)) return [equal(column, condition)];
  const terms = Object.entries(condition).map(([operator, operand]) => term(column, operator, operand));
  if (terms.length === 0) throw new Error(`the filter names ${column} without a condition`);
  return terms;
}

function term(column: string, operator: string, operand: unknown): Where {
  if (operator === '$eq') return equal(column, operand);
  if (operator === '$in') return among(column, operand);
  const sign = comparisons[operator as keyof typeof comparisons] as string | undefined;
  if (sign === undefined) throw new Error(`a filter has no operator ${operator}`);
  const value = stored(operand);
  if (value === null) throw new Error(`${column} cannot be ${sign} nothing`);
  return { text: `${column} ${sign} ?`, values: [value] };
}

function equal(column: string, operand: unknown): Where {
  const value = stored(operand);
  return value === null ? { text: `${column} IS NULL`, values: [] } : { text: `${column} = ?`, values: [value] };
}

/** The list travels as one parameter: the same statement serves lists of any length. */
function among(column: string, operand: unknown): Where {
  if (!Array.isArray(operand) || operand.length > MAX_IN) throw new Error(`$in takes a list of at most ${MAX_IN} values`);
  const values = operand.map(stored);
  const text = `${column} IN (SELECT value FROM json_each(?))`;
  return {
    text: values.includes(null) ? `(${text} OR ${column} IS NULL)` : text,
    values: [JSON.stringify(values.filter((v) => v !== null))],
  };
}
