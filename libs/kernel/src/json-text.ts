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
