import type { Decimal } from '@svc/kernel';

/** What identifies a row besides its currency. null sorts last. */
export type Key = Record<string, string | Decimal | null>;

/** Compares keys field by field: texts by code unit, decimals by value, null last. */
export function compareKeys(a: Key, b: Key): number {
  for (const [field, value] of Object.entries(a)) {
    const order = compare(value, b[field] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

export function compare(a: Key[string], b: Key[string]): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'string' || typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  return a.cmp(b);
}
