import { jsonNumber } from '@svc/kernel';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { AddressInput } from '../address.ts';
import { CreateCustomer } from '../customer/requests.ts';
import { AdjustmentInput, ItemInput } from '../document/line.ts';
import { CreateInvoice } from '../invoice/requests.ts';
import { CreateProduct } from '../product/requests.ts';
import { routeNames, routes } from '../routes.ts';
import { TaxInput } from '../tax.ts';
import { ajvOptions, customizeAjv, validatorOf } from './ajv.ts';
import { classValidatorProblems } from './testing/class-validator.ts';
import type { Class } from './class.ts';
import type { Schema } from './decorators/rule.ts';
import { schemaOf } from './json-schema.ts';
import { problemDetails } from './testing/problem-details.ts';
import { REQUIRED } from './words.ts';

const id = '01k9zq3r7te8v9x0a1b2c3d4e5';
/** Has a value for each format of a field. */
const forms = ['inv', 'cust', 'prod']
  .map((prefix) => `${prefix}_${id}`)
  .concat([
    'a@b.example',
    'es-ES',
    'C62',
    'INV',
    '{series}-{seq:6}',
    'Zm9v',
    'VAT',
    '12.5',
    '1',
    '-2.5',
    '0.00000001',
    'EUR',
    'ES',
    'Europe/Madrid',
    '2026-03-01',
    '2026-03-01T10:00:00Z',
    'some reason',
  ]);
/** Values that are invalid for every field, valid for some, or nearly valid. */
const oddities: unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e21,
  1e-7,
  0.000000001,
  999999999999,
  1000000000000,
  jsonNumber('1234567890.1234567'),
  jsonNumber('123456789012345678'),
  '',
  ' ',
  'x',
  'ab',
  'a\u0000b',
  'a\u007fb',
  'a\nb',
  'x'.repeat(255),
  'x'.repeat(256),
  '\u{1F600}'.repeat(255),
  'x'.repeat(2001),
  '1e3',
  '1,5',
  '.5',
  '5.',
  '+1',
  '-0',
  '00',
  '0.00',
  '0x10',
  '1000000000000',
  '0.123456789',
  'NaN',
  '12.50\n',
  'eur',
  'XXX',
  'EL',
  'es_ES',
  'Mars/Olympus',
  '2026-02-30',
  '2026-3-1',
  '2026-03-01T25:00:00Z',
  '2026-03-01T10:00:00+01:00',
  `inv_${id.toUpperCase()}`,
  `cust_8${id.slice(1)}`,
  '{series}',
  '{seq}{what}',
  'Zm9',
  [],
  {},
  [null],
  [{}],
  [[]],
  ['*'],
  ['*', 'invoice.created'],
  ['invoice.created', 'invoice.created'],
  { k: 'v' },
  { k: 1 },
  { k: null },
  { ['k'.repeat(41)]: 'v' },
  { k: 'v'.repeat(501) },
  { percent: 1 },
  { amount: 1, percent: 1 },
  [{ percent: '10' }],
  [{ rate: 20 }],
  { rawJSON: '1' },
  { constructor: 1 },
  JSON.parse('{"__proto__": {}}'),
];

const ajv = customizeAjv(new Ajv(ajvOptions));

/** Mostly valid values of a schema: rules over several fields are not considered. */
function fitting(schema: Schema): fc.Arbitrary<unknown> {
  const type = [schema.type].flat()[0];
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  if (type === 'object' && schema.properties) return objects(schema);
  if (type === 'object') return fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), { maxKeys: 3 });
  if (type === 'array')
    return fc.array(field(schema.items as Schema), { minLength: schema.minItems as number, maxLength: (schema.minItems as number) + 2 });
  if (type === 'integer') return fc.integer({ min: schema.minimum as number, max: schema.maximum as number });
  if (type === 'boolean') return fc.boolean();
  const fits = forms.filter((text) => ajv.validate(schema, text));
  const numbers = type === 'number' ? [fc.constantFrom<unknown>(1, 20, 12.5, 0.01)] : [];
  return fc.oneof(fits.length > 0 ? fc.constantFrom<unknown>(...fits) : fc.constant('x'), ...numbers);
}

const field = (schema: Schema): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 30, arbitrary: fitting(schema) }, { weight: 1, arbitrary: fc.constantFrom(...oddities) });

function objects({ properties, required }: Schema): fc.Arbitrary<unknown> {
  const known = Object.entries(properties as Record<string, Schema>).map(([name, schema]) => {
    const always = (required as string[]).includes(name);
    return [name, fc.option(field(schema), { nil: undefined, freq: always ? 30 : 2 })] as const;
  });
  const unknown = fc.option(fc.constantFrom('colour', 'id', 'constructor', '__proto__', 'toString'), { nil: undefined, freq: 1 });
  return fc
    .tuple(
      fc.record(Object.fromEntries(known)),
      fc.oneof({ weight: 20, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: unknown }),
    )
    .map(([object, name]) => {
      const given = Object.entries(object).filter(([, value]) => value !== undefined);
      return Object.fromEntries(name === undefined ? given : [...given, [name, 1]]);
    });
}

const parts = [CreateInvoice, CreateCustomer, CreateProduct, ItemInput, AdjustmentInput, TaxInput, AddressInput];
const classes = [...routeNames.flatMap((name) => routes[name].body ?? []), ...parts];

describe('the schema and class-validator find the same problems', () => {
  test.each([...new Map<string, Class>(classes.map((shape) => [shape.name, shape]))])('%s', (_, shape) => {
    const validate = validatorOf(shape);
    const seen = { taken: 0, refused: 0 };
    const bodies = fc.oneof({ weight: 30, arbitrary: fitting(schemaOf(shape)) }, { weight: 1, arbitrary: fc.constantFrom(...oddities) });
    fc.assert(
      fc.property(bodies, (body) => {
        const taken = validate(body);
        const found = classValidatorProblems(shape, body);
        if (taken) expect([found, problemDetails(shape, body)]).toEqual([{}, undefined]);
        else {
          expect(found).not.toEqual({});
          const problems = Object.entries(problemDetails(shape, body) ?? {});
          expect(problems).not.toEqual([]);
          expect(JSON.stringify(problems)).not.toMatch(/This must|should NOT|must NOT/);
          for (const [path, [message]] of problems) {
            if (path in found && message !== REQUIRED && path !== 'body') expect(found[path]).toContain(message);
          }
        }
        seen[taken ? 'taken' : 'refused'] += 1;
      }),
      { numRuns: 300, seed: 20260301 },
    );
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(0);
  });
});
