type Schema = Record<string, unknown>;
type Value = unknown;

/** A body as JSON text of about `bytes` bytes. */
export interface WorstBody {
  kind: string;
  json: (bytes: number) => string;
}

const id = '01k9zq3r7te8v9x0a1b2c3d4e5';
/** Has a value for each format of a field. */
const forms = [
  ...['inv', 'cust', 'prod'].map((prefix) => `${prefix}_${id}`),
  ...['x', 'C62', 'INV', 'VAT', '{series}-{seq:6}', 'Zm9v', 'a@b.example', 'es-ES', 'EUR', 'ES', 'Europe/Madrid'],
  ...['2026-03-01', '2026-03-01T10:00:00Z', 'some reason'],
];

/** Formats of free text. */
const TEXTS = new Set<unknown>(['text', 'visible', 'lines']);

/** The bodies that take longest to validate, built from the schema. `holds`: whether a value is valid by a schema. */
export function worstBodies(schema: Schema, holds: (schema: Schema, value: Value) => boolean): WorstBody[] {
  const places = [...placesIn(schema)];
  const around = (path: string[], json: string): string =>
    path.reduceRight((inside, step) => (step === '' ? `[${inside}]` : `{"${step}":${inside}}`), json);
  const list = (element: string) => (bytes: number) => `[${repeated(element, bytes)}]`;
  const texts = {
    long: 'x',
    marks: '\u0301\u0316',
    blanks: ' ',
    zeros: '0',
    escaped: '\\u0000',
    'half a pair': '\\ud800',
    breaks: '\\n',
    ends: '\\r\\n',
    unseen: '\u200b',
    spaces: '\u3000',
  };
  return [
    { kind: 'unknown fields', json: (bytes) => `{${numbered((n) => `"k${n}":0`, bytes)}}` },
    { kind: 'unknown fields by the thousand', json: (bytes) => `{"a":[${repeated(`{${numbered((n) => `"k${n}":0`, 8_000)}}`, bytes)}]}` },
    { kind: 'deep', json: (bytes) => `{"a":[${repeated(`${'['.repeat(40)}${']'.repeat(40)}`, bytes)}]}` },
    { kind: 'long numbers', json: (bytes) => `{"a":[${repeated('12345678901234567', bytes)}]}` },
    { kind: 'a long number among short ones', json: (bytes) => `{"a":[12345678901234567,${repeated('0', bytes - 40)}]}` },
    { kind: 'a long number among objects', json: (bytes) => `{"a":[12345678901234567,${repeated('{}', bytes - 40)}]}` },
    { kind: 'a number without end', json: (bytes) => `{"a":${'1'.repeat(bytes)}}` },
    ...places
      .filter(({ at }) => at.items)
      .flatMap(({ path, at }) => [
        ...['0', '{}'].map((element) => ({
          kind: `${path.join('.')}: list of ${element}`,
          json: (bytes: number) => around(path, list(element)(bytes)),
        })),
        {
          kind: `${path.join('.')}: all wrong`,
          json: (bytes: number) => around(path, list(JSON.stringify(wrong(at.items as Schema)))(bytes)),
        },
      ]),
    ...places
      .filter(({ at }) => typeof at.additionalProperties === 'object')
      .map(({ path }) => ({
        kind: `${path.join('.')}: pairs`,
        json: (bytes: number) => around(path, `{${numbered((n) => `"k${n}":0`, bytes)}}`),
      })),
    ...distinct(places.filter(({ at }) => !at.items && !at.properties)).flatMap(({ path }) =>
      Object.entries(texts).map(([kind, unit]) => ({
        kind: `${path.join('.')}: ${kind}`,
        json: (bytes: number) => around(path, `"${unit.repeat(bytes / Buffer.byteLength(unit))}"`),
      })),
    ),
    { kind: 'right but for one field', json: (bytes) => rightButOne(schema, holds, bytes) },
  ];
}

interface Place {
  path: string[];
  at: Schema;
}

/** Every field of a schema with its path; the step '' is an element of a list. */
function* placesIn(schema: Schema, path: string[] = []): Generator<Place> {
  if (path.length > 0) yield { path, at: schema };
  for (const [name, field] of Object.entries((schema.properties ?? {}) as Record<string, Schema>)) yield* placesIn(field, [...path, name]);
  if (schema.items) yield* placesIn(schema.items as Schema, [...path, '']);
}

const distinct = (places: Place[]): Place[] => [
  ...new Map(places.map((place) => [place.at.format ?? place.at.pattern ?? String(place.at.type), place])).values(),
];

const repeated = (unit: string, bytes: number): string =>
  Array(Math.max(1, Math.floor(bytes / (unit.length + 1))))
    .fill(unit)
    .join();

function numbered(unit: (n: number) => string, bytes: number): string {
  const units: string[] = [];
  for (let n = 0, length = 0; length < bytes; n += 1) length += units[units.push(unit(n)) - 1]!.length + 1;
  return units.join();
}

/** An object with all fields, each with an invalid value. */
function wrong(schema: Schema): Value {
  if (!schema.properties) return [[]];
  return Object.fromEntries(Object.keys(schema.properties as object).map((name) => [name, [[0]]]));
}

/** An object with all fields, lists of maximum length within `bytes`, and one text with a control character. */
function rightButOne(schema: Schema, holds: (schema: Schema, value: Value) => boolean, bytes: number): string {
  const fit = (at: Schema, room: number, pad: number): Value => {
    if (Array.isArray(at.enum)) return at.enum[0];
    const type = [at.type].flat()[0];
    if (at.properties) {
      const fields = Object.entries(at.properties as Record<string, Schema>).filter(
        ([name]) => !['amount', 'tax_rate', 'payments', 'type'].includes(name) || name in requiredOf(at),
      );
      return Object.fromEntries(fields.map(([name, field]) => [name, fit(field, room / 2, pad)]));
    }
    if (at.items) {
      const one = fit(at.items as Schema, room / 10, pad);
      const length = Math.max(
        (at.minItems as number) ?? 0,
        Math.min(at.uniqueItems ? 1 : (at.maxItems as number), Math.floor(room / JSON.stringify(one).length)),
      );
      return Array(length).fill(one);
    }
    if (type === 'object') return {};
    if (type === 'boolean') return true;
    if (type === 'integer') return at.minimum;
    const padded = TEXTS.has(at.format) ? ['x'.repeat(Math.min(pad, at.maxLength as number))] : [];
    return [...padded, ...forms, 1].find((value) => holds(at, value));
  };
  const body = JSON.stringify(fit(schema, bytes, 200));
  return body.replace(/x(?=x*"[^"]*$)/, '\\u0000');
}

const requiredOf = (schema: Schema): Record<string, true> => Object.fromEntries((schema.required as string[]).map((name) => [name, true]));
