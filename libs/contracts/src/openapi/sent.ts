import type { Schema } from '../schema/decorators/rule.ts';
import type { Side } from './side.ts';
import { whole } from './whole.ts';

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
export const sent: Side = {
  object: (schema) => schema,
  value(schema, { name }) {
    const { decimal, decimalLimits, vocabulary, enum: values } = schema;
    if (decimal !== undefined) return { schema: name('Decimal', () => DECIMAL), note: decimalLimits as string };
    if (typeof vocabulary === 'string') return { schema: name(vocabulary, () => ({ type: 'string', enum: values })) };
    return whole(schema);
  },
};
