import { isRawNumber, jsonNumber, numberText } from '@svc/kernel';
import { Decimal128, type Document, type ObjectId } from 'mongodb';
import type { Doc } from '../port.ts';

/** A document as the server stores it. */
export interface Stored extends Document {
  _id: string;
}

/** Identifies the last writer: the mark of one insert or claim. No key of a caller can equal it. */
export const MARK = '%mark';
/** An exact number that Decimal128 would print differently. */
const NUMBER = '%number';

/** Characters that MongoDB, its driver or an operator's query would misread; and `%` itself, so that every key can be decoded. */
const SPECIAL = /[%.\0]|^\$|^_(?=_proto__$)/g;
const escaped = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
export const keyStored = (key: string): string => (key === '' ? '%' : key.replace(SPECIAL, escaped));
const keyRead = (key: string): string =>
  key === '%' ? '' : key.replace(/%([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/**
 * A copy for storage: what JSON makes of the value, in BSON that an operator can query. Exact numbers are Decimal128, keys are
 * percent-encoded where necessary.
 */
export const stored = (doc: object): Stored => encoded(doc) as Stored;

export function encoded(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value + 0 : null; // JSON has neither -0 nor infinity
    case 'bigint':
      throw new TypeError('a document holds no bigint');
    case 'object':
      return value === null ? null : encodedObject(value);
    default:
      return undefined;
  }
}

function encodedObject(value: object): unknown {
  if (isRawNumber(value)) return exact(numberText(value));
  if (Array.isArray(value)) return Array.from(value, (item: unknown) => encoded(item) ?? null);
  if ('toJSON' in value && typeof value.toJSON === 'function') return encoded(value.toJSON());
  const copy: Document = {};
  for (const [key, inner] of Object.entries(value)) {
    const kept = encoded(inner);
    if (kept !== undefined) copy[keyStored(key)] = kept;
  }
  return copy;
}

function exact(text: string): Decimal128 | Document {
  try {
    const decimal = Decimal128.fromString(text);
    if (decimal.toString() === text) return decimal;
  } catch {
    // more digits than Decimal128 has
  }
  return { [NUMBER]: text };
}

export const markOf = (doc: Document): ObjectId | undefined => doc[MARK] as ObjectId | undefined;

/** The document as its caller wrote it. Reuses the object that the driver has read. */
export function read<D extends Doc>(doc: Document): D {
  delete doc[MARK];
  return decoded(doc) as D;
}

function decoded(value: Document): unknown {
  if (value instanceof Decimal128) return jsonNumber(value.toString());
  let isEscaped = false;
  for (const key of Object.keys(value)) {
    const inner: unknown = value[key];
    if (typeof inner === 'object' && inner !== null) value[key] = decoded(inner);
    if (key.includes('%')) isEscaped = true;
  }
  if (!isEscaped) return value;
  if (NUMBER in value) return jsonNumber(value[NUMBER] as string);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [keyRead(key), inner]));
}
