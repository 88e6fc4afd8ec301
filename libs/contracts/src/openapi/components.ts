import type { Schema } from '../schema/decorators/rule.ts';
import type { Condition } from '../schema/decorators/together.ts';
import { answered } from './answered.ts';
import { nullable, withoutNull } from './null.ts';
import { sent } from './sent.ts';
import { standard } from './standard.ts';

export interface Components {
  /** Publishes a schema of a request: its classes and vocabularies by name, so that it is mostly a reference. */
  request(schema: Schema): Schema;
  /** The same for a response. */
  response(schema: Schema): Schema;
  schemas: Record<string, Schema>;
}

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

/** Collects schemas by name, each once, in the order of first use. */
export function createComponents(): Components {
  const schemas: Record<string, Schema> = {};
  const name: Publisher['name'] = (title, make) => {
    if (!Object.hasOwn(schemas, title)) {
      schemas[title] = {}; // reserves the place
      schemas[title] = make();
    }
    return { $ref: `#/components/schemas/${title}` };
  };
  return { request: placing(sent, name), response: placing(answered, name), schemas };
}

function placing(side: Side, name: Publisher['name']): Publisher['place'] {
  const place = (given: Schema): Schema => {
    const { isNullable, schema } = withoutNull(given);
    const { title, description, words: _, ...rest } = schema;
    const form = typeof title === 'string' ? { schema: name(title, () => classOf(rest)) } : valueOf(rest);
    const { description: own, ...published } = isNullable ? nullable(form.schema) : form.schema;
    return described(published, [description ?? own, form.note]);
  };
  const inPlace = (schema: Schema): Schema => standard(schema, place);
  const valueOf = (schema: Schema): Form => side.value(schema, { name, place }) ?? { schema: inPlace(schema) };
  const classOf = ({ together = [], ...schema }: Schema): Schema =>
    described(
      inPlace(side.object(schema)),
      (together as Condition[]).map(({ rule }) => rule),
    );
  return place;
}

const described = (schema: Schema, sentences: unknown[]): Schema => {
  const description = sentences.filter((text) => text !== undefined).join(' ');
  return description === '' ? schema : { ...schema, description };
};
