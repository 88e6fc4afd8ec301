import { newTypes, publicBreaks } from './public-events.ts';
import type { JsonSchema } from './refused.ts';
import { add, changed, describedPublic, drop, fieldOf, makeOptional, makeRequired, released, set } from './testing/changed.ts';

const today = describedPublic('invoicing.');
const fiscal = describedPublic('fiscal.');

const file = (type: string): string => `public-events/${type}.schema.json`;
type Change = (schema: JsonSchema) => void;

/** The ids of what the gate refuses when this commit's schema of a type has changed since the release. */
function refused(type: string, change: Change | null): string[] {
  const before = type.startsWith('fiscal.') ? fiscal : today;
  const ids = publicBreaks(changed<JsonSchema>(before, file(type), change), [released('invoicing', before)]).map(({ id }) => id);
  return ids.map((id) => id.replace(`public ${type} `, ''));
}

const created = 'invoicing.invoice-created.v1';
const requested = 'invoicing.registration-requested.v1';
const rejected = 'fiscal.document-rejected.v1';

describe('public events: the gate refuses', () => {
  test.each<[what: string, type: string, change: Change | null, id: string]>([
    ['a required field that is gone', created, (s) => drop(s, 'data/total'), '/data/total written missing'],
    [
      'a field under another name',
      created,
      (s) => {
        drop(s, 'data/number');
        add(s, 'data', 'document_number', { type: ['string', 'null'] }, true);
      },
      '/data/number written missing',
    ],
    ['a field that may be omitted', created, (s) => makeOptional(s, 'data/customer_id'), '/data/customer_id written missing'],
    [
      'a new field that consumers rely on',
      created,
      (s) => add(s, 'data', 'country', { type: 'string' }, true),
      '/data/country read missing',
    ],
    ['another type', created, (s) => set(s, 'data/total', { type: 'string' }), '/data/total written type'],
    ['one more type', created, (s) => set(s, 'data/version', { type: ['integer', 'string'] }), '/data/version written type'],
    ['a whole number that becomes a decimal', created, (s) => set(s, 'data/version', { type: 'number' }), '/data/version written type'],
    ['a field that can be null', created, (s) => set(s, 'data/currency', { type: ['string', 'null'] }), '/data/currency written null'],
    [
      'an object that can be null',
      rejected,
      (s) => set(s, 'data/error', { $ref: undefined, anyOf: [{ $ref: '#/$defs/RegistrationError' }, { type: 'null' }] }),
      '/data/error written null',
    ],
    ['a field that is no longer null where it was', created, (s) => set(s, 'data/number', { type: 'string' }), '/data/number read null'],
    [
      'a value that consumers do not know',
      created,
      (s) => (fieldOf(s, 'data/status').field['enum'] as string[]).push('archived'),
      '/data/status written value "archived"',
    ],
    [
      'a value that is gone, but stands in the topic',
      created,
      (s) => (fieldOf(s, 'data/type').field['enum'] as string[]).pop(),
      '/data/type read value "corrective"',
    ],
    ['a closed list that is open', created, (s) => set(s, 'data/rounding', { enum: undefined }), '/data/rounding written values'],
    ['another format', created, (s) => set(s, 'data/created_at', { format: 'date' }), '/data/created_at written format'],
    ['another pattern', created, (s) => set(s, 'data/id', { pattern: '^invoice_.*$' }), '/data/id written pattern'],
    ['a longer text', created, (s) => set(s, 'data/series', { maxLength: 40 }), '/data/series written maxLength'],
    ['a shorter text than stands in the topic', created, (s) => set(s, 'data/notes', { maxLength: 100 }), '/data/notes read maxLength'],
    ['a larger number', requested, (s) => set(s, 'data/round', { maximum: 2_000_000 }), '/data/round written maximum'],
    ['a smaller number', rejected, (s) => set(s, 'data/attempts', { minimum: -1 }), '/data/attempts written minimum'],
    ['a longer list', created, (s) => set(s, 'data/items', { maxItems: 5000 }), '/data/items written maxItems'],
    [
      'a list that may hold a value twice',
      created,
      (s) => set(s, 'data/available_actions', { uniqueItems: undefined }),
      '/data/available_actions written uniqueItems',
    ],
    [
      'a field of the elements of a list that is gone',
      created,
      (s) => drop(s, 'data/items/[]/unit_price'),
      '/data/items/[]/unit_price written missing',
    ],
    [
      'another type in the elements of a list',
      created,
      (s) => set(s, 'data/items/[]/quantity', { type: 'string' }),
      '/data/items/[]/quantity written type',
    ],
    ['a nested field that is gone', created, (s) => drop(s, 'data/fiscal/code'), '/data/fiscal/code written missing'],
    [
      'a list in place of an object',
      rejected,
      (s) => set(s, 'data/error', { $ref: undefined, type: 'array', items: { $ref: '#/$defs/RegistrationError' } }),
      '/data/error written type',
    ],
    [
      'a field of one of several shapes that is gone',
      requested,
      (s) => drop(s, 'data/document/items'),
      '/data/document/items written missing',
    ],
    [
      'one more shape',
      requested,
      (s) =>
        (fieldOf(s, 'data/document').field['anyOf'] as JsonSchema[]).push({
          type: 'object',
          additionalProperties: false,
          properties: {},
          required: [],
        }),
      '/data/document/id written missing',
    ],
    [
      'a map of other values',
      created,
      (s) => set(s, 'data/metadata', { additionalProperties: { type: 'number' } }),
      '/data/metadata/{} written type',
    ],
    [
      'longer keys of a map',
      created,
      (s) => set(s, 'data/metadata', { propertyNames: { maxLength: 400 } }),
      '/data/metadata/{key} written maxLength',
    ],
    ['a field of the envelope that is gone', created, (s) => drop(s, 'sequence'), '/sequence written missing'],
    ['another topic', created, (s) => (s['x-topic'] = 'invoicing.documents'), '/ topic'],
    ['a type that is no longer published', created, null, '/ type-gone'],
  ])('%s', (_what, type, change, id) => {
    expect(refused(type, change)).toContain(id);
  });

  test('a field that an earlier release than the last one had with another type', () => {
    const first = released(
      'invoicing',
      changed<JsonSchema>(today, file(created), (s) => add(s, 'data', 'due', { type: 'string' })),
      '1.0.0',
    );
    const second = released('invoicing', today, '2.0.0');
    const now = changed<JsonSchema>(today, file(created), (s) => add(s, 'data', 'due', { type: 'number' }));
    const breaks = publicBreaks(now, [first, second]);
    expect(breaks.map(({ id, versions }) => [id, versions])).toEqual([
      [`public ${created} /data/due written type`, ['1.0.0']],
      [`public ${created} /data/due read type`, ['1.0.0']],
    ]);
  });

  test('a golden event of a release that today’s schema refuses', () => {
    const path = `golden/public/${created}.json`;
    const release = changed<{ data: JsonSchema }>(today, path, ({ data }) => (data['currency'] = 978));
    const ids = publicBreaks(today, [released('invoicing', release)]).map(({ id, what }) => [id, what]);
    expect(ids).toEqual([[`public ${created} / golden`, 'a golden event is refused: /data/currency must be string']]);
  });

  test('a required field that was optional in the release: events without it stand in the topic', () => {
    const before = changed<JsonSchema>(today, file(created), (s) => add(s, 'data', 'country', { type: 'string' }));
    const now = changed<JsonSchema>(before, file(created), (s) => makeRequired(s, 'data/country'));
    expect(publicBreaks(now, [released('invoicing', before)]).map(({ id }) => id)).toEqual([
      `public ${created} /data/country read missing`,
    ]);
  });
});

describe('public events: the gate lets through', () => {
  test.each<[what: string, type: string, change: Change]>([
    ['nothing changed', created, () => undefined],
    ['a new optional field', created, (s) => add(s, 'data', 'country', { type: 'string' })],
    [
      'a new optional object with required fields',
      created,
      (s) =>
        add(s, 'data', 'place', {
          type: 'object',
          properties: { city: { type: 'string' } },
          required: ['city'],
          additionalProperties: false,
        }),
    ],
    ['a new optional field in the elements of a list', created, (s) => add(s, 'data/items/[]', 'grade', { type: 'string' })],
    ['a new optional field in one of several shapes', requested, (s) => add(s, 'data/document', 'country', { type: 'string' })],
    ['other descriptions', created, (s) => set(s, 'data/total', { description: 'What is owed.' })],
    [
      'another order of required fields, values and shapes',
      requested,
      (s) => {
        (fieldOf(s, 'data/kind').field['enum'] as string[]).reverse();
        (fieldOf(s, 'data/document').field['anyOf'] as string[]).reverse();
        (s['required'] as string[]).reverse();
      },
    ],
    [
      'a shared definition under another name',
      created,
      (s) => {
        const defs = s['$defs'] as Record<string, JsonSchema>;
        defs['Row'] = defs['Item'] as JsonSchema;
        delete defs['Item'];
        set(s, 'data/items', { items: { $ref: '#/$defs/Row' } });
      },
    ],
  ])('%s', (_what, type, change) => {
    expect(refused(type, change)).toEqual([]);
  });

  test('a new type, and names it', () => {
    const type = 'invoicing.invoice-archived.v1';
    const more = new Map(today).set(file(type), today.get(file(created)));
    expect(publicBreaks(more, [released('invoicing', today)])).toEqual([]);
    expect(newTypes(more, [released('invoicing', today)])).toEqual([type]);
  });
});
