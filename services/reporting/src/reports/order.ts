import type { Decimal, Turn } from '@svc/kernel';

/** A value that identifies a row. null sorts last. */
export type KeyValue = string | Decimal | null;

/** What identifies a row besides its currency. */
export type Key = Record<string, KeyValue>;

/** Identifies a key within one report and currency. Keys of several values are words and ids, which have no line ends. */
export function keyId(key: readonly KeyValue[]): string | null {
  const [only = null] = key;
  if (key.length === 1 && (only === null || typeof only === 'string')) return only;
  return key.map((value) => (value === null ? '\n' : String(value))).join('\n');
}

/** Compares keys value by value: texts by code unit, decimals by value, null last. */
export function compareKeys(a: readonly KeyValue[], b: readonly KeyValue[]): number {
  for (const [n, value] of a.entries()) {
    const order = compare(value, b[n] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

export function compare(a: KeyValue, b: KeyValue): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'string' || typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  return a.cmp(b);
}

/** Sorted in one turn of the event loop: some milliseconds. */
const AT_ONCE = 5_000;

/** The items in order, sorted in parts that give way to other requests. */
export async function sortedInTurns<T>(items: readonly T[], inOrder: (a: T, b: T) => number, turn: Turn): Promise<T[]> {
  if (items.length <= AT_ONCE) return items.toSorted(inOrder);
  const middle = items.length >> 1;
  const first = await sortedInTurns(items.slice(0, middle), inOrder, turn);
  const second = await sortedInTurns(items.slice(middle), inOrder, turn);
  await turn(0);
  return merged(first, second, inOrder);
}

function merged<T>(a: readonly T[], b: readonly T[], inOrder: (a: T, b: T) => number): T[] {
  const all: T[] = [];
  let [n, m] = [0, 0];
  while (n < a.length && m < b.length) all.push(inOrder(a[n] as T, b[m] as T) <= 0 ? (a[n++] as T) : (b[m++] as T));
  while (n < a.length) all.push(a[n++] as T);
  while (m < b.length) all.push(b[m++] as T);
  return all;
}
