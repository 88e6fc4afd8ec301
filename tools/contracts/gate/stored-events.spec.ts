import type { GoldenStream } from '@svc/contracts/testing/golden';
import { decodeStored } from './decode-stored.ts';
import type { JsonSchema } from './refused.ts';
import type { Description } from './releases.ts';
import { storedBreaks } from './stored-events.ts';
import { add, changed, described, drop, fieldOf, makeOptional, makeRequired, released, set } from './testing/changed.ts';

let today: Description;
let fiscal: Description;
beforeAll(async () => {
  today = await described('invoicing');
  fiscal = await described('fiscal-submission');
});

const file = (name: string): string => `stored-events/${name}.schema.json`;
type Change = (schema: JsonSchema) => void;

/** The ids of what the gate refuses when this commit's schema of an event has changed since the release. */
function refused(name: string, change: Change | null): string[] {
  const before = name.startsWith('submission.') ? fiscal : today;
  const ids = storedBreaks(changed<JsonSchema>(before, file(name), change), [released('invoicing', before)], decodeStored).map(
    ({ id }) => id,
  );
  return ids.map((id) => id.replace(`stored ${name} `, ''));
}

const numbered = 'invoice.InvoiceNumbered';
const drafted = 'invoice.InvoiceDrafted';
const ended = 'submission.AttemptEnded';
const requested = 'invoice.InvoiceSubmissionRequested';
const resolved = 'submission.DoubtResolved';
const updated = 'customer.CustomerUpdated';

describe('stored events: the gate refuses', () => {
  test.each<[what: string, name: string, change: Change | null, id: string]>([
    ['a type that is not read any more', numbered, null, '/ type-gone'],
    ['a field that the release before reads', numbered, (s) => drop(s, 'data/number'), '/data/number written missing'],
    [
      'a field under another name, for what is stored',
      numbered,
      (s) => {
        drop(s, 'data/seq');
        add(s, 'data', 'count', { type: 'number' }, true);
      },
      '/data/count read missing',
    ],
    ['a field that was optional and is relied on', requested, (s) => makeRequired(s, 'data/personal'), '/data/personal read missing'],
    ['a field that may be omitted', drafted, (s) => makeOptional(s, 'data/livemode'), '/data/livemode written missing'],
    ['another type', numbered, (s) => set(s, 'data/seq', { type: 'string' }), '/data/seq read type'],
    ['a field that can be null', numbered, (s) => set(s, 'data/number', { type: ['string', 'null'] }), '/data/number written null'],
    [
      'a field that is no longer null where it was',
      ended,
      (s) => set(s, 'data/http_status', { type: 'number' }),
      '/data/http_status read null',
    ],
    [
      'a value that the release before does not know',
      ended,
      (s) => (fieldOf(s, 'data/verdict').field['enum'] as string[]).push('lost'),
      '/data/verdict written value "lost"',
    ],
    [
      'a value that is not read any more',
      ended,
      (s) => (fieldOf(s, 'data/verdict').field['enum'] as string[]).shift(),
      '/data/verdict read value "absent"',
    ],
    [
      'a field of the elements of a list',
      drafted,
      (s) => drop(s, 'data/content/items/[]/description'),
      '/data/content/items/[]/description written missing',
    ],
    [
      'a list in place of a text',
      ended,
      (s) => set(s, 'data/response_sha256', { type: 'array', items: { type: 'string' } }),
      '/data/response_sha256 read type',
    ],
    [
      'one of two forms that is not read any more',
      resolved,
      (s) => {
        const data = fieldOf(s, 'data').field;
        data['anyOf'] = [(data['anyOf'] as JsonSchema[])[0]];
      },
      '/data/outcome read value "not_registered"',
    ],
    [
      'a map of other values',
      updated,
      (s) => set(s, 'data/metadata', { additionalProperties: { type: 'number' } }),
      '/data/metadata/{} read type',
    ],
    ['metadata without the account', numbered, (s) => drop(s, 'metadata/account'), '/metadata/account written missing'],
    [
      'another actor',
      numbered,
      (s) => (fieldOf(s, 'metadata/actor/type').field['enum'] as string[]).push('robot'),
      '/metadata/actor/type written value "robot"',
    ],
    ['a new version that the release before does not read', numbered, (s) => (s['x-version'] = 3), '/ unknown-version'],
    ['an older version than was stored', numbered, (s) => (s['x-version'] = 1), '/ version'],
  ])('%s', (_what, name, change, id) => {
    expect(refused(name, change)).toContain(id);
  });

  test('a type that the release before does not know', () => {
    const before = new Map(today);
    before.delete(file(numbered));
    expect(storedBreaks(today, [released('invoicing', before)], decodeStored).map(({ id }) => id)).toEqual([
      `stored ${numbered} / unknown-type`,
    ]);
  });

  test('a new version without an upcast of the stored one, and one whose old form has no golden event', () => {
    const raised = changed<JsonSchema>(today, file(drafted), (s) => (s['x-version'] = 2));
    const withoutUpcast: typeof decodeStored = (category, stream, event, n) => {
      if (event.type === 'InvoiceDrafted') throw new Error('InvoiceDrafted v1 is unknown');
      return decodeStored(category, stream, event, n);
    };
    const ids = (before: Description, decode: typeof decodeStored) =>
      storedBreaks(raised, [released('invoicing', before)], decode).map(({ id }) => id);
    expect(ids(today, withoutUpcast)).toContain(`stored ${drafted} / golden`);
    const notGolden = new Map(today).set('golden/stored/invoice.json', []);
    expect(ids(notGolden, decodeStored)).toContain(`stored ${drafted} / unproven`);
  });

  test('an upcast that makes something else of a golden event', () => {
    const wrong: typeof decodeStored = (category, stream, event, n) => {
      const data = decodeStored(category, stream, event, n);
      return event.type === 'InvoiceNumbered' ? { ...data, seq: '7' } : data;
    };
    const breaks = storedBreaks(today, [released('invoicing', today)], wrong);
    expect(breaks.map(({ id, what }) => [id, what])).toEqual([
      [`stored ${numbered} / golden`, 'a golden event of v2 is read wrongly: /seq must be number'],
    ]);
  });

  test('what only an earlier release than the last one stored', () => {
    const first = released(
      'invoicing',
      changed<JsonSchema>(today, file(numbered), (s) => makeOptional(s, 'data/issued_at')),
      '1.0.0',
    );
    const breaks = storedBreaks(today, [first, released('invoicing', today, '2.0.0')], decodeStored);
    expect(breaks.map(({ id, versions, isAcceptable }) => [id, versions, isAcceptable])).toEqual([
      [`stored ${numbered} /data/issued_at read missing`, ['1.0.0'], false],
    ]);
  });
});

describe('stored events: the gate lets through', () => {
  test.each<[what: string, name: string, change: Change]>([
    ['nothing changed', numbered, () => undefined],
    ['a new optional field', numbered, (s) => add(s, 'data', 'printed_at', { type: 'string' })],
    ['a new optional field of the elements of a list', drafted, (s) => add(s, 'data/content/items/[]', 'grade', { type: 'string' })],
    ['a new optional field of the metadata', numbered, (s) => add(s, 'metadata', 'tenant', { type: 'string' })],
    ['an optional field that is not stored any more', requested, (s) => drop(s, 'data/personal')],
  ])('%s', (_what, name, change) => {
    expect(refused(name, change)).toEqual([]);
  });

  test('the golden events are whole streams of every type and version that was ever stored', () => {
    const golden = [...today, ...fiscal].flatMap(([path, streams]) =>
      path.startsWith('golden/stored/') ? (streams as GoldenStream[]) : [],
    );
    const types = new Set(golden.flatMap(({ events }) => events.map(({ type, metadata }) => `${type} v${metadata.v}`)));
    const declared = [...today, ...fiscal].flatMap(([path, schema]) =>
      path.startsWith('stored-events/') ? [(schema as { $comment: string }).$comment.replace(/^\S+ /, '')] : [],
    );
    expect(declared.filter((name) => !types.has(name))).toEqual([]);
  });
});
