import { isRawNumber, numberText } from '@svc/kernel';

/** What a column of an indexed field holds. */
export type Stored = string | number | null;

/** A document's value as its column holds it: absent is NULL, booleans are 0 and 1, exact numbers the nearest double. */
export function stored(value: unknown): Stored {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (isRawNumber(value)) return Number(numberText(value));
  throw new Error(`an indexed field holds a scalar, not ${Array.isArray(value) ? 'an array' : `a ${typeof value}`}`);
}
