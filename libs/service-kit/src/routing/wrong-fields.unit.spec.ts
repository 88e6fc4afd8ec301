import { parseExact } from '@svc/kernel';
import { Ajv } from 'ajv';
import { REQUIRED, wrongFields } from './wrong-fields.ts';

const text = { type: 'string', minLength: 1, maxLength: 5 };
const closed = (properties: object, required: string[] = []) => ({ type: 'object', additionalProperties: false, properties, required });
const money = {
  anyOf: [
    { type: 'number', minimum: 0 },
    { type: 'string', pattern: '^\\d+$' },
  ],
};
const address = closed({ city: text, planet: { enum: ['Earth'] } }, ['city']);
const schema = closed(
  {
    name: text,
    'a/b~c': text,
    items: { type: 'array', maxItems: 3, items: closed({ price: money, note: text }, ['price']) },
    address: { anyOf: [{ type: 'null' }, address] },
    outcome: { oneOf: [closed({ kind: { const: 'yes' }, code: text }, ['kind', 'code']), closed({ kind: { const: 'no' } }, ['kind'])] },
    metadata: { type: 'object', propertyNames: { maxLength: 3 }, additionalProperties: text },
  },
  ['name'],
);
const validate = new Ajv({ allErrors: true }).compile(schema);
const wrong = (json: string) => {
  const body = parseExact(json);
  return validate(body) ? {} : Object.fromEntries(wrongFields(validate.errors ?? [], body));
};
const fields = (json: string) => Object.keys(wrong(json)).sort();

describe('which fields are wrong', () => {
  test('unknown and missing ones are named by their path, at any depth', () => {
    expect(fields('{"colour":1,"items":[{"price":1},{"colour":2}],"address":{}}')).toEqual([
      'address.city',
      'colour',
      'items.1.colour',
      'items.1.price',
      'name',
    ]);
    expect(wrong('{}')).toEqual({ name: [REQUIRED] });
  });

  test.each(['true', '[]', '{}', '"x"', '-1', 'null'])('a price of %s is one wrong field', (price) => {
    expect(fields(`{"name":"x","items":[{"price":${price}}]}`)).toEqual(['items.0.price']);
  });

  test('several items wrong in the same way are several fields', () => {
    expect(fields('{"name":"x","items":[{"price":true},{"price":1},{"price":"y"}]}')).toEqual(['items.0.price', 'items.2.price']);
  });

  test('a list that is too long is named beside what is wrong in it', () => {
    expect(fields(`{"name":"x","items":[${'{"price":1},'.repeat(3)}{"price":"x"}]}`)).toEqual(['items', 'items.3.price']);
  });

  test('inside an alternative of the right kind the wrong field is named', () => {
    expect(fields('{"name":"x","address":{"city":"y","colour":1}}')).toEqual(['address.colour']);
    expect(fields('{"name":"x","address":7}')).toEqual(['address']);
    expect(fields('{"name":"x","outcome":{"kind":"yes"}}')).toEqual(['outcome.code']);
    expect(fields('{"name":"x","outcome":{"kind":"perhaps"}}')).toEqual(['outcome']);
  });

  test('a number that JSON does not keep is told to be sent as a string, wherever it stands', () => {
    for (const [json, path] of [
      ['{"name":"x","items":[{"price":1234567890.1234567}]}', 'items.0.price'],
      ['{"name":12345678901234567890}', 'name'],
      ['{"name":"x","address":12345678901234567890}', 'address'],
    ] as const) {
      expect(wrong(json)).toEqual({ [path]: [expect.stringContaining('string')] });
    }
  });

  test('a field with two faults has two messages under one name', () => {
    expect(fields('{"name":"","metadata":{"long":"x","k":7}}')).toEqual(['metadata.k', 'metadata.long', 'name']);
  });

  test('a body that is no object is named body, and odd names as they are', () => {
    for (const body of ['[]', 'null', '"x"', '1']) expect(fields(body)).toEqual(['body']);
    expect(fields('{"name":"x","a/b~c":1}')).toEqual(['a/b~c']);
  });

  test('tens of thousands of faults are answered with some', () => {
    const many = fields(`{"name":"x","items":[${Array(50_000).fill('{"price":true}').join()}]}`);
    expect(many.length).toBeGreaterThan(100);
    expect(many.length).toBeLessThanOrEqual(2_000);
  });
});
