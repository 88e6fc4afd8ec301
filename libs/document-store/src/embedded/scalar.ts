import { isRawNumber, numberText } from '@svc/kernel';
import { scalar } from '../declared.ts';

/** The value of an indexed field's column. */
export type Stored = string | number | null;
/** One that a statement stores. */
export type Parameter = Stored | bigint;

/** Whether a column gives the value back as it is: not null, which is like absent, nor booleans and exact numbers. */
export const isExact = (value: unknown): boolean => (typeof value === 'string' ? value.isWellFormed() : Number.isFinite(value));

/** A document's value as its column stores it: absent is NULL, booleans are 0 and 1, exact numbers the nearest double. */
export function stored(value: unknown): Stored {
  const plain = scalar(value);
  if (typeof plain === 'boolean') return plain ? 1 : 0;
  return isRawNumber(plain) ? Number(numberText(plain)) : plain;
}

/** The value in its shortest form: SQLite stores a number of JavaScript in eight bytes, and a bigint in as many as it needs. Both are read alike. */
export const short = (value: Stored): Parameter => (Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value as number) : value);
