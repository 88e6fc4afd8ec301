import type { Class } from '../schema/class.ts';
import type { Schema } from '../schema/decorators/rule.ts';
import type { Condition } from '../schema/decorators/together.ts';
import { opened, schemaOf } from '../schema/json-schema.ts';

export interface Components {
  /** Adds the schema of a request body and of all classes in it to the components. Returns a reference. */
  request(shape: Class): Schema;
  /** The same for a response, which allows additional fields: later releases may add some. */
  response(shape: Class): Schema;
  /** A schema in standard keywords, in place. */
  inline(schema: Schema): Schema;
  schemas: Record<string, Schema>;
}

/** Collects schemas by the names of their classes, each once, with the keywords of JSON Schema 2020-12 only. */
export function createComponents(): Components {
  const schemas: Record<string, Schema> = {};
  const place = (schema: Schema): Schema => {
    const { title, type, description, words: _, ...rest } = schema;
    if (typeof title !== 'string') return inPlace(schema);
    if (!(title in schemas)) {
      schemas[title] = {}; // reserves the place, so that schemas are in the order of first use
      schemas[title] = inPlace({ type: 'object', ...rest });
    }
    const reference = { $ref: `#/components/schemas/${title}` };
    const either = [type].flat().includes('null') ? { anyOf: [reference, { type: 'null' }] } : reference;
    return description === undefined ? either : { ...either, description };
  };
  const inPlace = (schema: Schema): Schema =>
    Object.fromEntries(Object.entries(schema).flatMap(([key, value]) => standard(key, value, place)));
  return { request: (shape) => place(schemaOf(shape)), response: (shape) => place(opened(schemaOf(shape))), inline: inPlace, schemas };
}

/** What else a text has to be is in the guide: patterns with properties of Unicode are not understood everywhere. */
const ONE_LINE: Schema = { pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' };

const formats: Record<string, Schema> = {
  text: ONE_LINE,
  visible: ONE_LINE,
  lines: { pattern: '^(?:[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]|\\r\\n)*$' },
  'email-address': { pattern: '^[^@\\s]+@[^@\\s]+$' },
  day: { format: 'date' },
  timestamp: { format: 'date-time' },
  'sent-timestamp': { format: 'date-time' },
  moment: { description: 'A day, which is that day in the issuer’s time zone, or a moment by RFC 3339.' },
  currency: { pattern: '^[A-Z]{3}$', description: 'ISO 4217.' },
  country: { pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' },
  'time-zone': { description: 'IANA time zone.' },
};

/** One keyword of a schema as standard keywords. Our own keywords become their standard counterpart or are left out. */
function standard(key: string, value: unknown, place: (schema: Schema) => Schema): [string, unknown][] {
  switch (key) {
    case 'decimal':
    case 'plain':
    case 'words':
      return [];
    case 'exact':
      return [['type', 'number']];
    case 'together':
      return [['allOf', (value as Condition[]).map(({ schema }) => schema)]];
    case 'format':
      return Object.entries(formats[value as string] ?? { format: value });
    case 'properties':
      return [[key, Object.fromEntries(Object.entries(value as Record<string, Schema>).map(([name, schema]) => [name, place(schema)]))]];
    case 'items':
    case 'propertyNames':
      return [[key, place(value as Schema)]];
    case 'additionalProperties':
      return [[key, typeof value === 'object' ? place(value as Schema) : value]];
    case 'anyOf':
      return [[key, (value as Schema[]).map(place)]];
    default:
      return [[key, value]];
  }
}
