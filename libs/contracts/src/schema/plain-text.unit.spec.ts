import { CreateCustomer, UpdateCustomer } from '../customer/requests.ts';
import { queryValidator } from '../http/query.ts';
import { routeNames, routes } from '../routes.ts';
import { ajvOfAll } from './ajv.ts';
import type { Class } from './class.ts';
import { KeptMetadata } from './decorators/index.ts';
import type { Schema } from './decorators/rule.ts';
import { schemaOf } from './json-schema.ts';
import { problemsOf } from './problems.ts';

const unfit: Record<string, string> = {
  'a NUL': 'a\u0000b',
  'a tab': 'a\tb',
  'a line break': 'a\nb',
  'a DEL': 'a\u007fb',
  'a C1 control': 'a\u0085b',
  'half of a surrogate pair': 'a\ud800b',
  'its other half': 'a\udc00',
  'combining marks without end': `e${'\u0301\u0316'.repeat(16)}`,
};

/** The schemas of all strings in a schema: values, items of lists, keys and values of free objects. */
function* stringsIn(schema: Schema, path: string): Generator<[string, Schema]> {
  if ([schema.type].flat().includes('string') || path.endsWith('(key)')) yield [path, schema];
  for (const [name, field] of Object.entries((schema.properties ?? {}) as Record<string, Schema>))
    yield* stringsIn(field, `${path}.${name}`);
  if (schema.items) yield* stringsIn(schema.items as Schema, `${path}[]`);
  if (schema.propertyNames) yield* stringsIn(schema.propertyNames as Schema, `${path}(key)`);
  if (typeof schema.additionalProperties === 'object') yield* stringsIn(schema.additionalProperties as Schema, `${path}(value)`);
}

const shapes = new Set<Class>(routeNames.flatMap((name) => [routes[name].body ?? [], routes[name].query].flat()));
const strings = new Map([...shapes].flatMap((shape) => [...stringsIn(schemaOf(shape), shape.name)]));

describe('every string of every request', () => {
  test.each(Object.entries(unfit))('has not %s', (_, text) => {
    expect(strings.size).toBeGreaterThan(100);
    expect([...strings].filter(([, schema]) => ajvOfAll().validate(schema, text)).map(([path]) => path)).toEqual([]);
  });
});

describe('words', () => {
  test('name the problem of a key or value of metadata', () => {
    const problems = (metadata: object) => problemsOf(UpdateCustomer, { metadata });
    expect(problems({ 'a\u0000': 'x', b: 'x\u009fy', c: 'x\ud83d', ['e' + '\u0301'.repeat(31)]: 'x' })).toEqual({
      'metadata.a\u0000': ['Send text without control characters.'],
      'metadata.b': ['Send text without control characters.'],
      'metadata.c': ['Send whole characters: this text has half of a surrogate pair in it.'],
      [`metadata.e${'\u0301'.repeat(31)}`]: ['Send at most 30 combining marks in a row.'],
    });
    expect(problems({ 'straße 😀': 'Ελλάδα e\u0301 नमस्ते', gone: null })).toBeUndefined();
  });

  test('name the problem of a field', () => {
    expect(problemsOf(CreateCustomer, { name: 'x\ud800' })).toEqual({ name: [expect.stringContaining('surrogate')] });
    expect(problemsOf(CreateCustomer, { name: 'x\u0007' })).toEqual({ name: [expect.stringContaining('without control characters')] });
  });

  test('name the problem of a query parameter', () => {
    expect(queryValidator('GET /customers')({ q: 'a\u0000' })).toEqual({
      problems: { q: [expect.stringContaining('control characters')] },
    });
  });
});

test('a resource may have metadata that earlier releases accepted', () => {
  class Kept {
    @KeptMetadata() metadata: Record<string, string>;
  }
  expect(problemsOf(Kept, { metadata: { 'a\u0000': 'x\n' } })).toBeUndefined();
});
