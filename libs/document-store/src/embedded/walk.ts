import type { Engine } from '@svc/embedded';
import { isRawNumber, type Turn } from '@svc/kernel';
import { isEquality, termsOf } from '../declared.ts';
import type { Condition, Filter, Index, Query, Scalar, Sort } from '../port.ts';
import { both, isInIndex, isOrderOf, orderOf, orderText, type Step, type Where, whereOf, whereTerm } from './filter.ts';
import { behind } from './stream.ts';
import { stored, type Stored } from './scalar.ts';
import { columnOf, indexName, type Table } from './table.ts';

/** Entries of an index that one statement visits: less than a millisecond. */
const AT_ONCE = 5_000;
/** The same where each needs its row. */
const ROWS_AT_ONCE = 500;

/** Combinations of values that a filter lists for the first fields of an index: each is a walk of its own. */
const MOST_WALKS = 100;
/** Walks in one turn: most end within their first slice. */
const WALKS_AT_ONCE = 10;

/** Entries of an index in its order, of which some match. */
export interface Walk {
  /** For SQL. */
  index: string;
  /** What the index finds by itself: the equalities of its first fields, and the bounds of the next. */
  within: Where;
  lower: Where;
  upper: Where;
  /** The other conditions, and the columns that they name. */
  rest: Where & { columns: string[] };
  /** All columns of the index, then the rowid. */
  order: Step[];
  /** How many of the first columns are unique together, among documents that have values in them. */
  unique: number;
  atOnce: number;
}

/**
 * The walks along the index that finds the filter best: by one that holds all of its fields, if there is one, and by most equalities, of which booleans select
 * little; of equal ones by the one that was declared last. A field for which the filter lists values has an equality in each walk. No document is in two walks.
 */
export function walksToFind(table: Table, filter: Filter): Walk[] | undefined {
  const valuesOf = (field: string): readonly Scalar[] | undefined =>
    table.coded.includes(field) ? singleValue(filter[field]) : valuesIn(filter[field]);
  const found = best(table, filter, {}, valuesOf, ({ selective, isRange, covers }) => (covers ? 100 : 0) + selective + (isRange ? 0.5 : 0));
  if (!found) return undefined;
  let branches: Filter[] = [filter];
  for (const field of found.index.fields.slice(0, found.equal)) {
    if (isEquality(filter[field])) continue;
    const values = valuesOf(field) ?? [];
    branches = branches.flatMap((branch) => values.map((value) => ({ ...branch, [field]: value })));
  }
  return branches.map((branch) => walkBy(table, branch, {}, found));
}

const singleValue = (condition: Condition | undefined): readonly Scalar[] | undefined => (isEquality(condition) ? [null] : undefined);

/** The values that the condition allows, each once as a column holds it; undefined: it is no list of values. */
function valuesIn(condition: Condition | undefined): readonly Scalar[] | undefined {
  if (isEquality(condition)) return [null];
  if (typeof condition !== 'object' || condition === null || !('$in' in condition) || Object.keys(condition).length > 1) return undefined;
  return [...new Map((condition.$in ?? []).map((value) => [stored(value), value])).values()];
}

/** The walk in the order of the sort: by an index that finds the filter by itself, else by one that holds all of its fields, else by any. */
function walkInOrder(table: Table, filter: Filter, sort: Sort): Walk | undefined {
  const score = ({ selective, covers, left }: Fit): number => (left === 0 ? 200 : covers ? 100 : 0) + selective;
  const found = best(table, filter, sort, (field) => singleValue(filter[field]), score);
  return found && walkBy(table, filter, sort, found);
}

interface Fit {
  /** Fields at the beginning of the index that are fixed, without booleans, and whether the filter bounds the next one. */
  selective: number;
  isRange: boolean;
  /** Conditions that the index does not find by itself, and whether it holds their fields. */
  left: number;
  covers: boolean;
}

interface Found {
  index: Index;
  /** How many of its first fields the filter fixes. */
  equal: number;
}

/** `valuesOf`: of a field that is fixed, by as many walks. */
function best(
  table: Table,
  filter: Filter,
  sort: Sort,
  valuesOf: (field: string) => readonly Scalar[] | undefined,
  score: (fit: Fit) => number,
): Found | undefined {
  let found: (Found & { score: number }) | undefined;
  for (const index of table.indexes) {
    const { fields } = index;
    const equal = fixedBy(fields, valuesOf);
    const next = fields[equal];
    if (equal === 0 || !isInIndex(index, filter) || !isOrderOf(fields.slice(equal), sort)) continue;
    const isRange = next !== undefined && isBound(filter[next]);
    const selective = fields.slice(0, equal).filter((field) => typeof filter[field] !== 'boolean').length;
    const left = Object.keys(filter).length - equal - (isRange ? 1 : 0);
    const own = score({ selective, isRange, left, covers: Object.keys(filter).every((field) => fields.includes(field)) });
    if (!found || own >= found.score) found = { score: own, index, equal };
  }
  return found;
}

function fixedBy(fields: readonly string[], valuesOf: (field: string) => readonly Scalar[] | undefined): number {
  let walks = 1;
  const differs = fields.findIndex((field) => (walks *= valuesOf(field)?.length ?? Infinity) > MOST_WALKS);
  return differs === -1 ? fields.length : differs;
}

/** One range of an index, unlike a list of values. */
const isBound = (condition: Condition | undefined): boolean =>
  typeof condition === 'object' && condition !== null && !isRawNumber(condition) && !isEquality(condition) && !('$in' in condition);

function walkBy(table: Table, filter: Filter, sort: Sort, { index, equal }: Found): Walk {
  const { fields } = index;
  const fixed = fields.slice(0, equal);
  const next = fields[equal];
  const bounds = next !== undefined && isBound(filter[next]) ? { [next]: filter[next] as Condition } : {};
  const part = (holds: (field: string) => boolean): Filter => Object.fromEntries(Object.entries(filter).filter(([field]) => holds(field)));
  const rest = part((field) => !fixed.includes(field) && !(field in bounds));
  const bound = (...operators: string[]): Where =>
    both(...termsOf(table, bounds).flatMap((term) => (operators.includes(term.operator) ? [whereTerm(table, term)] : [])));
  const restFields = Object.keys(rest);
  const behindEqual = fields.slice(equal);
  const descending = Object.values(sort)[0] === -1;
  return {
    index: ` INDEXED BY ${indexName(table.unquoted, index)}`,
    within: whereOf(
      table,
      part((field) => fixed.includes(field)),
    ),
    lower: bound('$gt', '$gte'),
    upper: bound('$lt', '$lte'),
    rest: { ...whereOf(table, rest), columns: [...new Set(termsOf(table, rest).map(({ field }) => columnOf(table, field)))] },
    order: [...behindEqual.map((field) => columnOf(table, field)), 'rowid'].map((column) => ({ column, descending })),
    unique: uniqueBy(table, filter, behindEqual) ?? behindEqual.length + 1,
    atOnce: restFields.every((field) => fields.includes(field)) ? AT_ONCE : ROWS_AT_ONCE,
  };
}

/** How many of the first fields are unique together, among documents that have values in them; undefined: none are. */
function uniqueBy(table: Table, filter: Filter, fields: string[]): number | undefined {
  const fixed = new Set(Object.keys(filter).filter((field) => isEquality(filter[field]) && filter[field] !== null));
  for (const [n, field] of fields.entries()) {
    fixed.add(field);
    if (field === '_id' || table.indexes.some((index) => index.unique && index.fields.every((one) => fixed.has(one)))) return n + 1;
  }
  return undefined;
}

const reversed = (walk: Walk): Walk => ({
  ...walk,
  order: walk.order.map(({ column, descending }) => ({ column, descending: !descending })),
});

/** The entries of a walk from here on, of which the first `atOnce` are the slice, in SQL. */
interface Slice {
  walk: Walk;
  from: string;
  values: Stored[];
  /** The keys of its last entry; undefined: it has fewer than are visited at once, and is the last of its range. */
  last(): Record<string, Stored> | undefined;
}

/** The entries of the walks slice by slice, with a turn between two. Each is to be read in the turn in which it comes. */
async function* slicesOf(engine: Engine, table: Table, walks: readonly Walk[], turn: Turn): AsyncGenerator<Slice> {
  for (const [n, walk] of walks.entries()) {
    if (n > 0 && n % WALKS_AT_ONCE === 0) await turn(0);
    yield* slicesOfOne(engine, table, walk, turn);
  }
}

async function* slicesOfOne(engine: Engine, table: Table, walk: Walk, turn: Turn): AsyncGenerator<Slice> {
  const { index, within, lower, upper, order, unique, atOnce } = walk;
  const keys = order.map(({ column }, n) => `${column} AS k${n}`).join();
  let ranges: Where[] = [both(lower, upper)];
  // Behind an entry, which is within its own bound: of two lower bounds SQLite would seek by either.
  const other = order[0]?.descending ? lower : upper;
  for (let range = ranges.shift(); range !== undefined; range = ranges.shift()) {
    await engine.syncOf(table.name);
    const { text, values } = both(within, range);
    const from = `FROM ${table.name}${index} WHERE ${text} ORDER BY ${orderText(order)}`;
    const select = `SELECT ${keys} ${from} LIMIT 1 OFFSET CAST(? AS INTEGER)`;
    const slice: Slice = { walk, from, values, last: () => engine.sql(select).get(...values, atOnce - 1) as ReturnType<Slice['last']> };
    yield slice;
    const last = slice.last();
    if (last === undefined) continue;
    const steps = order.slice(0, unique);
    ranges = behind(steps.some((_, n) => last[`k${n}`] === null) ? order : steps, last).map((range) => both(range, other));
    await turn(0);
  }
}

/** How many of the entries match. */
export async function countBy(engine: Engine, table: Table, walks: readonly Walk[], turn: Turn): Promise<number> {
  let count = 0;
  for await (const slice of slicesOf(engine, table, walks, turn)) count += matchesIn(engine, slice);
  return count;
}

function matchesIn(engine: Engine, { walk: { rest, atOnce }, from, values, last }: Slice): number {
  if (rest.columns.length === 0 && last() !== undefined) return atOnce;
  const select = `SELECT count(*) AS n FROM (SELECT ${['rowid', ...rest.columns].join()} ${from} LIMIT CAST(? AS INTEGER)) WHERE ${rest.text}`;
  return engine.sql(select).get(...values, atOnce, ...rest.values)?.['n'] as number;
}

/** The first `limit` rowids of a slice that match. */
function rowidsIn(engine: Engine, { walk: { rest, atOnce }, from, values }: Slice, limit = atOnce): number[] {
  const isPlain = rest.columns.length === 0;
  const select = `SELECT r FROM (SELECT ${['rowid AS r', ...rest.columns].join()} ${from} LIMIT CAST(? AS INTEGER)) WHERE ${rest.text} LIMIT CAST(? AS INTEGER)`;
  const rows = engine.sql(select).all(...values, isPlain ? Math.min(limit, atOnce) : atOnce, ...rest.values, limit);
  return rows.map((row) => row['r'] as number);
}

/** The rowids of the matches between `skip` and `skip + limit`, in the order of the walks; of those only that `isMember` names. */
async function rowidsBy(
  engine: Engine,
  table: Table,
  walks: readonly Walk[],
  { skip, limit, isMember }: { skip: number; limit: number; isMember?: (rowid: number) => boolean },
  turn: Turn,
): Promise<number[]> {
  const found: number[] = [];
  let before = skip;
  for await (const slice of slicesOf(engine, table, walks, turn)) {
    if (before >= slice.walk.atOnce && !isMember) {
      before -= matchesIn(engine, slice);
      continue;
    }
    const matching = isMember ? rowidsIn(engine, slice).filter(isMember) : rowidsIn(engine, slice, before + limit - found.length);
    found.push(...matching.slice(before, before + limit - found.length));
    before = Math.max(0, before - matching.length);
    if (found.length >= limit) break;
  }
  return found;
}

/** Documents in an order are sorted by one statement up to this many, and above it found by a walk in that order. */
const FEW = 5_000;
const MOST_SORTED = 20_000;

/**
 * The rowids of a page, in its order, found without a statement that visits or sorts more than `MOST_SORTED` entries. undefined: one statement visits few, or
 * no declared index is in this order. A page behind the middle is found from the end where the caller knows how many match.
 */
export async function rowidsOfPage(
  engine: Engine,
  table: Table,
  filter: Filter,
  { sort = {}, skip, limit, matches = Infinity, turn }: Query & { sort?: Sort; skip: number; limit: number; turn: Turn },
): Promise<number[] | undefined> {
  const find = walksToFind(table, filter);
  const walk = walkInOrder(table, filter, sort);
  if (walk?.rest.columns.length === 0 && skip + limit <= AT_ONCE) return undefined;
  if (find && (!walk || (walk.rest.columns.length > 0 && matches <= FEW))) {
    const all = await rowidsBy(engine, table, find, { skip: 0, limit: MOST_SORTED + 1 }, turn);
    if (all.length <= MOST_SORTED) return sorted(engine, table, all, { filter, sort, skip, limit });
  }
  if (!walk) return undefined;
  const isMember =
    find && find[0]?.index !== walk.index && walk.atOnce === ROWS_AT_ONCE ? await membersOf(engine, table, find, turn) : undefined;
  const chosen: Walk = isMember ? { ...walk, rest: { ...both(), columns: [] }, atOnce: AT_ONCE } : walk;
  const left = matches - skip;
  if (skip <= left) return rowidsBy(engine, table, [chosen], { skip, limit, ...(isMember && { isMember }) }, turn);
  const fromEnd = { skip: Math.max(0, left - limit), limit: Math.max(0, Math.min(limit, left)), ...(isMember && { isMember }) };
  return (await rowidsBy(engine, table, [reversed(chosen)], fromEnd, turn)).reverse();
}

function sorted(
  engine: Engine,
  table: Table,
  rowids: number[],
  { filter, sort, skip, limit }: { filter: Filter; sort: Sort; skip: number; limit: number },
): number[] {
  const order = orderText(orderOf(table, filter, sort));
  const select = `SELECT rowid AS r FROM ${table.name} NOT INDEXED WHERE rowid IN (SELECT value FROM json_each(?)) ORDER BY ${order} LIMIT CAST(? AS INTEGER) OFFSET CAST(? AS INTEGER)`;
  return engine
    .sql(select)
    .all(JSON.stringify(rowids), limit, skip)
    .map((row) => row['r'] as number);
}

/** The set of rows that match, as one bit for each row of the table. */
async function membersOf(engine: Engine, table: Table, walks: readonly Walk[], turn: Turn): Promise<(rowid: number) => boolean> {
  const highest = (engine.sql(`SELECT max(rowid) AS r FROM ${table.name}`).get()?.['r'] ?? 0) as number;
  const bits = new Uint8Array(Math.floor(highest / 8) + 1);
  const at = (rowid: number): number => Math.floor(rowid / 8);
  for await (const slice of slicesOf(engine, table, walks, turn))
    for (const rowid of rowidsIn(engine, slice)) bits[at(rowid)]! |= 1 << (rowid % 8);
  return (rowid) => ((bits[at(rowid)] ?? 0) & (1 << (rowid % 8))) !== 0;
}
