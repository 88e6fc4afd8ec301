import { isRawNumber } from '@svc/kernel';
import { isEquality, sortOf, type Term, termsOf } from '../declared.ts';
import type { Filter, Index, Sort } from '../port.ts';
import { CODE, CODES, nameIn } from '@svc/embedded/packing/names';
import { stored, type Stored } from './scalar.ts';
import { columnOf, indexName, type Table } from './table.ts';

/** A condition in SQL with the values of its parameters. */
export interface Where {
  text: string;
  values: Stored[];
}

/** One step of a sort; the last is always the rowid, which makes the order total. */
export interface Step {
  column: string;
  descending: boolean;
}

const comparisons = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' } as const;

/** The filter in SQL; throws on a field without an index and on an operator that the port does not have. */
export const whereOf = (table: Table, filter: Filter): Where => both(...termsOf(table, filter).map((term) => whereTerm(table, term)));

export const both = (...terms: Where[]): Where => ({
  text: terms.length === 0 ? 'TRUE' : terms.map(({ text }) => text).join(' AND '),
  values: terms.flatMap(({ values }) => values),
});

export const orderText = (steps: Step[]): string =>
  steps.map(({ column, descending }) => `${column} ${descending ? 'DESC' : 'ASC'}`).join();

/** Throws on a field without an index, and on one of codes whose value the filter leaves open: codes have the order in which they were made. */
export const orderOf = (table: Table, filter: Filter, sort: Sort): Step[] =>
  ended(
    sortOf(table, sort).map(([field, direction]) => {
      if (table.coded.includes(field) && !isEquality(filter[field])) throw unordered(field);
      return { column: columnOf(table, field), descending: direction === -1 };
    }),
  );
const unordered = (field: string): TypeError =>
  new TypeError(`the embedded store has codes in place of ${field}, which have no order: name one value of it in the filter`);

/** For a stream without a sort: the order of the index that serves the filter. */
export function naturalOrder(table: Table, filter: Filter): Step[] {
  let best = { score: 0, rest: [] as string[] };
  for (const { fields } of [{ fields: ['_id'] }, ...table.indexes]) {
    const fixed = fields.findIndex((field) => !isEquality(filter[field]));
    const equal = fixed === -1 ? fields.length : fixed;
    const score = equal + (filter[fields[equal] ?? ''] === undefined ? 0 : 0.5);
    if (score > best.score) best = { score, rest: fields.slice(equal) };
  }
  return ended(best.rest.map((field) => ({ column: columnOf(table, field), descending: false })));
}

/**
 * As `orderOf`, for one read by this index, '' for none: without the rowid where the order is total by the `_id` or a unique index. That allows any number of nulls, which
 * have an order of their own only in the index that is read.
 */
export function orderIn(table: Table, filter: Filter, sort: Sort, index: string): string {
  const steps = orderOf(table, filter, sort);
  const fixes = (field: string): boolean => (field in sort || isEquality(filter[field])) && (index !== '' || needsValue(filter[field]));
  const isTotal = '_id' in sort || table.indexes.some(({ fields, unique }) => unique && fields.every(fixes));
  return orderText(isTotal ? steps.slice(0, -1) : steps);
}

/**
 * The index to read by, for SQL: of those that hold all fields of the filter and are in the order of the sort, the one that begins with most of the
 * filter's equalities; of equal ones the one that was declared first. So a filter of several fields is decided in the index, whatever SQLite knows
 * of the data. '' where there is none: SQLite chooses.
 */
export function indexedBy({ unquoted, indexes }: Pick<Table, 'unquoted' | 'indexes'>, filter: Filter, sort: Sort = {}): string {
  const named = Object.keys(filter);
  let best: { score: number; index?: Index } = { score: 0.5 };
  for (const index of indexes) {
    const { fields } = index;
    const differs = fields.findIndex((field) => !isEquality(filter[field]));
    const equal = differs === -1 ? fields.length : differs;
    const rest = fields.slice(equal);
    if (!isInIndex(index, filter) || !named.every((field) => fields.includes(field)) || !isOrderOf(rest, sort)) continue;
    const score = equal + (rest[0] !== undefined && rest[0] in filter ? 0.5 : 0);
    if (score > best.score) best = { score, index };
  }
  return best.index ? ` INDEXED BY ${indexName(unquoted, best.index)}` : '';
}

/** Whether all documents that match are in the index. */
export const isInIndex = ({ present }: Index, filter: Filter): boolean => present === undefined || needsValue(filter[present]);

/** Whether a condition holds only for documents that have the field. */
function needsValue(condition: Filter[string] | undefined): boolean {
  if (condition === undefined || condition === null) return false;
  if (typeof condition !== 'object' || isRawNumber(condition)) return true;
  const { $eq, $in } = condition;
  return $eq !== null && !$in?.includes(null);
}

/** Whether documents that are read by these fields of an index are in the order of the sort, or in the reverse of it. */
export function isOrderOf(fields: readonly string[], sort: Sort): boolean {
  const steps = Object.entries(sort);
  return steps.every(([field, direction], n) => fields[n] === field && direction === steps[0]?.[1]);
}

const ended = (steps: Step[]): Step[] => [...steps, { column: 'rowid', descending: steps.at(-1)?.descending ?? false }];

export function whereTerm(table: Table, term: Term): Where {
  const column = columnOf(table, term.field);
  if (table.coded.includes(term.field)) return whereCode(column, term);
  if (term.operator === '$in') return among(column, term.operand.map(stored));
  const value = stored(term.operand);
  if (term.operator !== '$eq') return { text: `${column} ${comparisons[term.operator]} ?`, values: [value] };
  return value === null ? { text: `${column} IS NULL`, values: [] } : { text: `${column} = ?`, values: [value] };
}

function whereCode(column: string, { field, operator, operand }: Term): Where {
  if (operator === '$in')
    return among(
      column,
      operand.map((one) => nameIn(field, one)),
      CODES,
    );
  if (operator !== '$eq') throw unordered(field);
  const name = nameIn(field, operand);
  return name === null ? { text: `${column} IS NULL`, values: [] } : { text: `${column} = ${CODE}`, values: [name] };
}

/** The list is one parameter, so that one statement serves lists of any length. */
function among(column: string, values: Stored[], list = '(SELECT value FROM json_each(?))'): Where {
  const text = `${column} IN ${list}`;
  return {
    text: values.includes(null) ? `(${text} OR ${column} IS NULL)` : text,
    values: [JSON.stringify(values.filter((value) => value !== null))],
  };
}
