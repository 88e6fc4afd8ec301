import type { Schema } from '../schema/decorators/rule.ts';

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

/** A schema in keywords of JSON Schema 2020-12 alone. `place` gives the form of the schemas in it. Keywords of ours become their standard counterpart or are omitted. */
export const standard = (schema: Schema, place: (schema: Schema) => Schema): Schema =>
  Object.fromEntries(Object.entries(schema).flatMap(([key, value]) => keyword(key, value, place)));

function keyword(key: string, value: unknown, place: (schema: Schema) => Schema): [string, unknown][] {
  switch (key) {
    case 'decimal':
    case 'decimalLimits':
    case 'fieldsOf':
    case 'plain':
    case 'whole':
    case 'together':
    case 'union':
    case 'vocabulary':
    case 'words':
      return [];
    case 'each':
      return [['items', place(value as Schema)]];
    case 'exact':
      return [['type', 'number']];
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
