export type JsonSchema = Record<string, unknown>;

/** A value that one schema writes and another refuses. */
export interface Refused {
  /** Of the field: `/data/items/[]/total`; `[]` is any element of a list, `{}` any value of a map. */
  path: string;
  /** Names the kind of difference; with the path it is the same at each run. */
  rule: string;
  /** In words: what can be written, and what the reader takes. */
  written: string;
  read: string;
}

/** A schema with the definitions that its `$ref`s name. */
export interface Part {
  schema: JsonSchema;
  defs: JsonSchema;
}
/** What is written beside what a reader expects, at one path. */
export interface Compared {
  written: Part;
  read: Part;
  path: string;
}

/** What the reader refuses of what is written. */
export type Differ = (compared: Compared) => Refused[];

export const shown = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value));
