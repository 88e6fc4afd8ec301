import type { Schema } from '../schema/decorators/rule.ts';
import type { Condition } from '../schema/decorators/together.ts';
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

const NULL: Schema = { type: 'null' };

/** A schema without the null that it allows, in either form of ours: among its types, or as a branch. */
function withoutNull(schema: Schema): { isNullable: boolean; schema: Schema } {
  const { type, enum: values, anyOf, ...rest } = schema;
  if (Array.isArray(type) && type.includes('null')) {
    const types = type.filter((one) => one !== 'null');
    const known = Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {};
    return { isNullable: true, schema: { type: types.length === 1 ? types[0] : types, ...rest, ...known } };
  }
  const branches = (anyOf ?? []) as Schema[];
  const others = branches.filter((branch) => branch.type !== 'null');
  if (others.length === branches.length) return { isNullable: false, schema };
  return { isNullable: true, schema: others.length === 1 ? { ...others[0], ...rest } : { anyOf: others, ...rest } };
}

/** A published schema or null. */
function nullable({ description, ...schema }: Schema): Schema {
  const about = description === undefined ? {} : { description };
  if (typeof schema.type !== 'string') return { anyOf: [schema, NULL], ...about };
  const { enum: values } = schema;
  return { ...schema, type: [schema.type, 'null'], ...(Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {}), ...about };
}

/** Every amount, price, quantity and rate of a request. Its limits are in the description of each field. */
const DECIMAL: Schema = {
  description:
    'A decimal number: a JSON number of at most 15 significant digits, or a string without an exponent, which keeps all digits in any program.',
  oneOf: [
    { type: 'number', format: 'double' },
    { type: 'string', pattern: '^-?\\d{1,12}(?:\\.\\d{1,8})?$' },
  ],
};

/** Of requests: closed lists are closed, and so are objects. */
const sent: Side = {
  object: (schema) => schema,
  value(schema, { name }) {
    const { decimal, decimalLimits, vocabulary, enum: values } = schema;
    if (decimal !== undefined) return { schema: name('Decimal', () => DECIMAL), note: decimalLimits as string };
    if (typeof vocabulary === 'string') return { schema: name(vocabulary, () => ({ type: 'string', enum: values })) };
    return whole(schema);
  },
};

/**
 * Of responses. All of them are open, since later releases add fields and values: an object allows any other field, and a value of a list is text, with
 * the values that are known today beside it.
 */
const answered: Side = {
  object: ({ additionalProperties: _, ...schema }) => schema,
  value(schema, publisher) {
    const { exact, enum: values, items, union, ...rest } = schema;
    if (exact !== undefined) return { schema: { ...rest, type: 'number', format: 'double' } };
    if (Array.isArray(values))
      return values.length === 1 ? { schema: { type: 'string', const: values[0] } } : open(schema, values, publisher);
    if (Array.isArray((items as Schema | undefined)?.enum)) return openList(schema, publisher);
    if (typeof union === 'string') return { schema: publisher.name(union, () => standard(rest, publisher.place)) };
    return whole(schema);
  },
};

const OPEN = 'Later releases may add values: let those pass that you do not know.';

function open({ vocabulary }: Schema, values: unknown[], { name }: Publisher): Form {
  const schema: Schema = { type: 'string', 'x-extensible-enum': values };
  const note = `Today ${values.map((value) => `\`${String(value)}\``).join(', ')}.`;
  if (typeof vocabulary !== 'string') return { schema, note };
  return { schema: name(`Any${vocabulary}`, () => ({ ...schema, description: `${note} ${OPEN}` })), note };
}

/** A list that may have as many entries as there are values. */
const openList = ({ maxItems: _, ...schema }: Schema, { place }: Publisher): Form => ({ schema: standard(schema, place) });

const MOST_INT32 = 2 ** 31 - 1;

/** An integer that 32 bits do not hold says so: many generators take 32 bits where no format is given. undefined for any other schema. */
const whole = (schema: Schema): Form | undefined =>
  schema.type === 'integer' && (schema.maximum as number) > MOST_INT32 ? { schema: { ...schema, format: 'int64' } } : undefined;

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
