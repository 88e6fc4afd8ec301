import type { Seen } from '../../e2e/testing/checked-client.ts';

/** Headers compared by value; of others only their presence. */
const COMPARED = ['content-type', 'cache-control', 'allow', 'ratelimit-policy', 'preference-applied', 'idempotent-replayed', 'vary'];
/** Headers of a connection, not of a response. */
const OF_CONNECTIONS = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date'];

/** Values by status, headers and error text: `items.#.amount:number` for every value that such responses had. */
type Shapes = Map<string, Set<string>>;

/**
 * Shapes of responses in `one` that `other` lacks: a route with a status, headers or an error's text, or a value by name and type. Values
 * that depend on the moment are ignored: where `other` has only null or empty lists, `one` may have anything, and null anywhere.
 */
export function missingIn(other: readonly Seen[], one: readonly Seen[]): string[] {
  const there = shapesOf(other);
  return [...shapesOf(one)].flatMap(([head, values]) => {
    const others = there.get(head);
    if (others === undefined) return [head];
    const isKnown = (name: string): boolean => [...others].some((value) => value !== `${name}:null` && isOf(name, value));
    const open = [...others].flatMap((value) => nullIn(value) ?? []).filter((name) => !isKnown(name));
    const isFree = (value: string): boolean => open.some((name) => isOf(name, value)) || isKnown(nullIn(value) ?? '-');
    return [...values].filter((value) => !others.has(value) && !isFree(value)).map((value) => `${head}\n    ${value}`);
  });
}

/** Whether the value has that name or is below it. */
const isOf = (name: string, value: string): boolean => value.startsWith(`${name}:`) || value.startsWith(`${name}.`);
/** The name of a null value. */
const nullIn = (value: string): string | undefined => (value.endsWith(':null') ? value.slice(0, -':null'.length) : undefined);

export function shapesOf(answers: readonly Seen[]): Shapes {
  const shapes: Shapes = new Map();
  for (const seen of answers) {
    const values = shapes.get(headOf(seen)) ?? new Set();
    for (const value of valuesIn(seen.answer.body)) values.add(value);
    shapes.set(headOf(seen), values);
  }
  return shapes;
}

function headOf({ route, method, path, answer: { status, headers, body } }: Seen): string {
  const named = [...headers]
    .filter(([name]) => !OF_CONNECTIONS.includes(name))
    .map(([name, value]) => (COMPARED.includes(name) ? `${name}: ${value}` : name))
    .sort();
  const error =
    status < 400 ? '' : `\n    ${withoutIds(JSON.stringify({ ...body, request_id: 0, error: { ...body.error, request_id: 0 } }))}`;
  return `${route ?? `${method} ${withoutIds(path)}`} ${status}\n    ${named.join(', ')}${error}`;
}

/** The text without ids, seconds and the system's port. */
const withoutIds = (text: string): string =>
  text
    .replaceAll(/\bhttp:\/\/localhost:\d+\b/g, 'http://localhost:…')
    .replaceAll(/\b([a-z]{2,4})_[0-9a-hjkmnp-tv-z]{26}\b/g, '$1_…')
    .replaceAll(/\bin \d+ s\b/g, 'in … s');

function valuesIn(value: unknown, at = ''): string[] {
  if (value === null || typeof value !== 'object') return [`${at}:${value === null ? 'null' : typeof value}`];
  if (Array.isArray(value)) return value.length === 0 ? [`${at}.#:null`] : value.flatMap((one) => valuesIn(one, `${at}.#`));
  return Object.entries(value).flatMap(([name, one]) => valuesIn(one, at === '' ? name : `${at}.${name}`));
}
