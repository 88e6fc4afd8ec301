import type { Published, Schema } from './published.ts';
import type { Random } from './random.ts';

const nested = (depth: number): unknown => (depth === 0 ? 1 : depth % 2 ? [nested(depth - 1)] : { a: nested(depth - 1) });

const garbage: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, -0, 1e21, 1e-9, 123456789012345, 99999999999999],
  ...['', 'x', ' ', 'x'.repeat(300), 'x'.repeat(2500), 'ß'.repeat(256), 'null', '1e5', '1,5', '٣', 'NaN', '-1', '0', '1.123456789', '0x10'],
  ...[
    'a\u0000b',
    'bell\u0007',
    'line\nbreak',
    '\u202eright',
    '2026-02-30',
    '2026-13-01T00:00:00Z',
    'yesterday',
    'XXX',
    'eur',
    'ZZ',
    "'; DROP TABLE invoices; --",
  ],
  ...[
    'cust_bad',
    `cust_01${'0'.repeat(24)}`,
    `inv_01${'0'.repeat(24)}`,
    `prod_01${'0'.repeat(24)}`,
    '<script>',
    '../../etc/passwd',
    '{{7*7}}',
    'https://user:pw@h/',
  ],
  ...[
    [],
    {},
    [[]],
    [null],
    [1, 'a'],
    [{}],
    { a: 1 },
    { $gt: '' },
    { rawJSON: '1' },
    nested(20),
    Array.from({ length: 600 }, () => ({})),
    'x'.repeat(60_000),
  ],
];
/** Names that no resource has: calculated fields are judged later, after the version. */
const unknownNames = ['unknown', 'state', 'totals', 'fiscalCode', 'customerId', 'a.b', '$where', 'Ünï', 'toString', ' '];

interface NamespacedServers {
  holder: Record<string, unknown> | unknown[];
  key: string | number;
  path: string;
}

function placesIn(value: unknown, above = ''): NamespacedServers[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => {
    const path = `${above}${key}`;
    return [{ holder, key: Array.isArray(value) ? Number(key) : key, path }, ...placesIn(holder[key], `${path}.`)];
  });
}

/** Fields of the schema, present in the body or not. */
function knownFields(schema: Schema | undefined, resolve: Published['resolve']): string[] {
  return Object.keys((schema && resolve(schema).properties) ?? {});
}

/** Changes one value of a valid body; returns its path. */
export function corrupt(
  body: Record<string, unknown>,
  schema: Schema | undefined,
  resolve: Published['resolve'],
  { below, pick, next }: Random,
): string {
  const places = placesIn(body);
  const roll = next();
  if (roll < 0.2 || places.length === 0) {
    const objects = [
      { value: body, path: '' },
      ...places.map(({ holder, key, path }) => ({ value: (holder as never)[key] as unknown, path: `${path}.` })),
    ];
    const { value, path } = pick(objects.filter((one) => typeof one.value === 'object' && one.value !== null && !Array.isArray(one.value)));
    const name = pick(unknownNames);
    (value as Record<string, unknown>)[name] = pick(garbage);
    return path + name;
  }
  if (roll < 0.4) {
    const name = pick([...knownFields(schema, resolve), 'metadata']);
    body[name] = pick(garbage);
    return name;
  }
  const { holder, key, path } = pick(places);
  if (roll < 0.5) {
    if (Array.isArray(holder)) holder.splice(key as number, 1);
    else delete holder[key as string];
    return path;
  }
  const found = (holder as Record<string | number, unknown>)[key];
  (holder as Record<string | number, unknown>)[key] =
    Array.isArray(found) && roll < 0.6 ? Array.from({ length: 501 + below(200) }, () => found[0] ?? {}) : pick(garbage);
  return path;
}
