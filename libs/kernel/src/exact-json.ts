import { quoteLongNumbers, unquoteLongNumbers } from './long-numbers.ts';

/**
 * Keeps JSON numbers exactly as written. A double is exact for 15 significant digits; amounts may have 20. A longer number is kept as V8's
 * raw JSON (`JSON.rawJSON`), which `JSON.stringify` prints digit for digit.
 */
interface RawJson {
  readonly rawJSON: string;
}
interface ExactJson {
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
}
const json = JSON as unknown as ExactJson;

/** The JSON number with this decimal text: a plain number where a double is exact, otherwise raw JSON. */
export function jsonNumber(text: string): number {
  const value = Number(text);
  if (text.length <= 15 || String(value) === text) return value;
  return (significantDigits(text) <= 15 ? value : json.rawJSON(text)) as number;
}

/** Significant digits of a JSON number's text. */
export const significantDigits = (text: string): number =>
  text
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+/, '').length;

/** Asks V8 about objects only: the call costs more than the rest of what is done to a number. */
const isRaw = (value: unknown): value is RawJson => typeof value === 'object' && json.isRawJSON(value);
export const isRawNumber = (value: unknown): boolean => isRaw(value);
/** The digits of a number that came from `parseExact` or `jsonNumber`. */
export const numberText = (value: unknown): string => (isRaw(value) ? value.rawJSON : String(value));

const LONG_NUMBER = /\d[\d.]{15,}/;

/** `JSON.parse` that keeps numbers with more than 15 significant digits as raw JSON. Throws `SyntaxError` as `JSON.parse` does. */
export function parseExact(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  let value: unknown;
  try {
    value = JSON.parse(quoteLongNumbers(text, isLong));
  } catch (error) {
    JSON.parse(text); // throws with the position in the original text
    throw error;
  }
  return unquoteLongNumbers(value, json.rawJSON);
}

const isLong = (number: string): boolean => significantDigits(number) > 15;

const texts = new WeakMap<object, string>();

/** The JSON of an object that never changes from now on: made once, for all who ask as long as the object lives. */
export function jsonText(value: object): string {
  let text = texts.get(value);
  if (text === undefined) texts.set(value, (text = JSON.stringify(value)));
  return text;
}

/** A value of which only the JSON is at hand: answers and lists take it in place of the value. `version`: of a resource, for its ETag. */
export class JsonText {
  constructor(
    readonly text: string,
    readonly version?: number,
  ) {}
}

/** The JSON of any value, which is made anew unless `jsonText` has made it. */
export function textOf(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  return (typeof value === 'object' && value !== null ? texts.get(value) : undefined) ?? (JSON.stringify(value) as string);
}

/** Size of the value as JSON, in bytes of UTF-8. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');
