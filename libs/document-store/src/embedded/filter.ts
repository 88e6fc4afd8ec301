import { isEquality, sortOf, type Term, termsOf } from '../declared.ts';
import type { Filter, Sort } from '../port.ts';
import { stored, type Stored } from './scalar.ts';
import { columnOf, type Table } from './table.ts';

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
export const whereOf = (table: Table, filter: Filter): Where => both(...termsOf(table, filter).map(whereTerm));

export const both = (...terms: Where[]): Where => ({
  text: terms.length === 0 ? 'TRUE' : terms.map(({ text }) => text).join(' AND '),
  values: terms.flatMap(({ values }) => values),
});

export const orderText = (steps: Step[]): string =>
  steps.map(({ column, descending }) => `${column} ${descending ? 'DESC' : 'ASC'}`).join();

export const orderOf = (table: Table, sort: Sort): Step[] =>
  ended(sortOf(table, sort).map(([field, direction]) => ({ column: columnOf(field), descending: direction === -1 })));

/** For a stream without a sort: the order of the index that serves the filter. */
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

function whereTerm(term: Term): Where {
  const column = columnOf(term.field);
  if (term.operator === '$in') return among(column, term.operand.map(stored));
  const value = stored(term.operand);
  if (term.operator !== '$eq') return { text: `${column} ${comparisons[term.operator]} ?`, values: [value] };
  return value === null ? { text: `${column} IS NULL`, values: [] } : { text: `${column} = ?`, values: [value] };
}

/** The list is one parameter, so that one statement serves lists of any length. */
function among(column: string, values: Stored[]): Where {
  const text = `${column} IN (SELECT value FROM json_each(?))`;
  return {
    text: values.includes(null) ? `(${text} OR ${column} IS NULL)` : text,
    values: [JSON.stringify(values.filter((value) => value !== null))],
  };
}
