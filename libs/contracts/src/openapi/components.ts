import type { Schema } from '../schema/decorators/rule.ts';
import type { Condition } from '../schema/decorators/together.ts';
import { answered } from './answered.ts';
import { nullable, withoutNull } from './null.ts';
import { sent } from './sent.ts';
import type { Form, Publisher, Side } from './side.ts';
import { standard } from './standard.ts';

export interface Components {
  /** Publishes a schema of a request: its classes and vocabularies by name, so that it is mostly a reference. */
  request(schema: Schema): Schema;
  /** The same for a response. */
  response(schema: Schema): Schema;
  schemas: Record<string, Schema>;
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
  const valueOf = (schema: Schema): Form => side.value(schema, { name, place }) ?? { schema: withoutLengthOfTimes(inPlace(schema)) };
  const classOf = ({ together = [], ...schema }: Schema): Schema =>
    described(
      inPlace(side.object(schema)),
      (together as Condition[]).map(({ rule }) => rule),
    );
  return place;
}

/** Clients make objects of days and moments: those of PHP by openapi-generator end when they measure one. */
function withoutLengthOfTimes(schema: Schema): Schema {
  const { maxLength: _, ...rest } = schema;
  return schema['format'] === 'date' || schema['format'] === 'date-time' ? rest : schema;
}

const described = (schema: Schema, sentences: unknown[]): Schema => {
  const description = sentences.filter((text) => text !== undefined).join(' ');
  return description === '' ? schema : { ...schema, description };
};
