import type { Schema } from '../schema/decorators/rule.ts';

/** The published form of a value. */
export interface Form {
  schema: Schema;
  /** What the schema does not say, in words: a sentence for the description. */
  note?: string;
}
export interface Publisher {
  /** Adds a schema to the components unless there is one of this name. Returns a reference. */
  name(name: string, make: () => Schema): Schema;
  place(schema: Schema): Schema;
}
/** How requests or responses are published. */
export interface Side {
  /** The form of a value that has one of its own; the others are put in standard keywords. The schema does not allow null and has no title. */
  value(schema: Schema, publisher: Publisher): Form | undefined;
  /** The schema of a class. */
  object(schema: Schema): Schema;
}
