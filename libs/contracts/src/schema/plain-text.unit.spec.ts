import { CreateCustomer, UpdateCustomer } from '../customer/requests.ts';
import { UpdateInvoice } from '../invoice/requests.ts';
import { queryValidator } from '../route-query.ts';
import { routeNames, routes } from '../routes.ts';
import { ajvOfAll } from './ajv.ts';
import type { Class } from './class.ts';
import { KeptMetadata } from './decorators/index.ts';
import type { Schema } from './decorators/rule.ts';
import { schemaOf } from './json-schema.ts';
import { problemDetails } from './testing/problem-details.ts';

const unfit: Record<string, string> = {
  'a NUL': 'a\u0000b',
  'a tab': 'a\tb',
  'a lone carriage return': 'a\rb',
  'a vertical tab': 'a\u000bb',
  'a line separator': 'a\u2028b',
  'a paragraph separator': 'a\u2029b',
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

const taking = (text: string): string[] => [...strings].filter(([, schema]) => ajvOfAll().validate(schema, text)).map(([path]) => path);

describe('every string of every request', () => {
  test.each(Object.entries(unfit))('has not %s', (_, text) => {
    expect(strings.size).toBeGreaterThan(100);
    expect(taking(text)).toEqual([]);
  });

  test('has line breaks only in notes, descriptions, reasons of voids and notes of resolutions', () => {
    expect(taking('line one\n\nline two').sort()).toEqual([
      'CreateInvoice.items[].description',
      'CreateInvoice.notes',
      'CreateProduct.description',
      'CreateReceipt.items[].description',
      'CreateReceipt.notes',
      'CreateWebhook.description',
      'PreviewInvoice.items[].description',
      'PreviewInvoice.notes',
      'ResolveDocument.note',
      'UpdateInvoice.items[].description',
      'UpdateInvoice.notes',
      'UpdateProduct.description',
      'UpdateWebhook.description',
      'VoidDocument.reason',
      'VoidReceipt.reason',
    ]);
  });

  test('has at most 100 line breaks', () => {
    expect(taking(`a${'\n'.repeat(100)}b`)).toHaveLength(15);
    expect(taking(`a${'\n'.repeat(101)}b`)).toEqual([]);
    expect(problemDetails(UpdateInvoice, { notes: `a${'\n'.repeat(101)}b` })).toEqual({ notes: ['Send at most 100 line breaks.'] });
  });

  test.each(['a\tb\nc', 'a\nb\u0000', 'a\nb\u0085c', 'a\rb\nc', 'a\nb\u2028c'])(
    'has no other control character beside line breaks: %j',
    (text) => {
      expect(taking(text)).toEqual([]);
      expect(problemDetails(UpdateInvoice, { notes: text })?.notes?.[0]).toContain(
        'without control characters but for at most 100 line breaks',
      );
    },
  );
});

/** Texts of which nothing is drawn. */
const unseen: Record<string, string> = {
  spaces: '\u2003 \u00a0\u202f\u3000',
  'an Ogham space': '\u1680',
  'direction marks': '\u200e\u200f\u202a\u202c\u2066\u2069\u061c',
  'zero-width characters': '\u200b\u200c\u200d\u2060\ufeff',
  'invisible operators': '\u2061\u2062\u2063\u2064',
  'a Mongolian vowel separator': '\u180e',
  'a soft hyphen': '\u00ad',
  'Hangul fillers': '\u115f\u1160\u3164\uffa0',
  'an empty Braille pattern': '\u2800',
  'variation selectors': '\ufe0f\u{e0100}',
  tags: '\u{e0001}\u{e0041}\u{e007f}',
  'grapheme joiners': '\u034f\u034f',
  'combining marks': '\u0301\u20dd',
  'an empty note head': '\u{1d159}',
  'musical format characters': '\u{1d173}',
  'interlinear annotation': '\ufff9\ufffa\ufffb',
  'private use': '\ue000',
  'no character': '\uffff\u0378',
};

describe('a text of which something has to be visible', () => {
  test.each(Object.entries(unseen))('is not %s alone', (_, text) => {
    expect(problemDetails(CreateCustomer, { name: text })).toEqual({
      name: ['Send text that shows something: nothing of this one is visible.'],
    });
    // Only values of metadata may be empty, and a passphrase.
    expect(taking(text).filter((path) => !/(metadata|headers)\((key|value)\)$/.test(path))).toEqual(['PutFiscalCredentials.passphrase']);
    expect(problemDetails(CreateCustomer, { name: `A${text}` })?.name).toBeUndefined();
  });

  test.each(['A', '1', '-', '\u200eA', 'Núñez', 'العربية', 'שלום', '漢', 'ไทย', '😀', '👨‍👩‍👧', '🇦🇱', '€', '々', '1️⃣'])('is %s', (name) => {
    expect(problemDetails(CreateCustomer, { name })).toBeUndefined();
  });
});

describe('words', () => {
  test('name the problem of a key or value of metadata', () => {
    const problems = (metadata: object) => problemDetails(UpdateCustomer, { metadata });
    expect(problems({ 'a\u0000': 'x', b: 'x\u009fy', c: 'x\ud83d', ['e' + '\u0301'.repeat(31)]: 'x' })).toEqual({
      'metadata.a\u0000': ['Send text without control characters and line breaks.'],
      'metadata.b': ['Send text without control characters and line breaks.'],
      'metadata.c': ['Send whole characters: this text has half of a surrogate pair in it.'],
      [`metadata.e${'\u0301'.repeat(31)}`]: ['Send at most 30 combining marks in a row.'],
    });
    expect(problems({ 'straße 😀': 'Ελλάδα e\u0301 नमस्ते', gone: null })).toBeUndefined();
  });

  test('name the problem of a field', () => {
    expect(problemDetails(CreateCustomer, { name: 'x\ud800' })).toEqual({ name: [expect.stringContaining('surrogate')] });
    expect(problemDetails(CreateCustomer, { name: 'x\u0007' })).toEqual({ name: [expect.stringContaining('without control characters')] });
  });

  test('name the problem of a query parameter', () => {
    expect(queryValidator('GET /customers')({ q: 'a\u0000' })).toEqual({
      problems: [expect.objectContaining({ field: 'q', message: expect.stringContaining('control characters') })],
    });
  });
});

test('a resource may have metadata that earlier releases accepted', () => {
  class Kept {
    @KeptMetadata() metadata: Record<string, string>;
  }
  expect(problemDetails(Kept, { metadata: { 'a\u0000': 'x\n' } })).toBeUndefined();
});
