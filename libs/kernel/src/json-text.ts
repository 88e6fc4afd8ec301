const texts = new WeakMap<object, string>();

/** The JSON of an object that never changes from now on: made once, for all who ask as long as the object lives. */
export function jsonText(value: object): string {
  let text = texts.get(value);
  if (text === undefined) texts.set(value, (text = JSON.stringify(value)));
  return text;
}

/** The JSON of any value, which is made anew unless `jsonText` has made it. */
export const textOf = (value: unknown): string =>
  (typeof value === 'object' && value !== null ? texts.get(value) : undefined) ?? (JSON.stringify(value) as string);

/** An object's JSON with one field more at its end, whose value is JSON text already. The object has a field, and none that is undefined. */
export const withField = (head: object, field: string, text: string): string => `${JSON.stringify(head).slice(0, -1)},"${field}":${text}}`;

/** A resource of which only the text is at hand: answered as if it were the object. */
export class ResourceText {
  constructor(
    readonly text: string,
    readonly version: number,
  ) {}
}
