import { routeNames } from '../routes.ts';
import type { Schema } from '../schema/decorators/rule.ts';
import { openApiDocument } from './document.ts';

interface Operation {
  tags: string[];
  parameters?: object[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, object>;
  callbacks?: Record<string, Record<string, { post: Operation }>>;
}
interface Document {
  info: { license: { name: string }; contact: object };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema>; responses: Record<string, object>; headers: object };
}
const document = JSON.parse(
  JSON.stringify(openApiDocument({ served: new Set(routeNames), publicUrl: 'https://api.example', version: 'v1' })),
) as Document;
const { components } = document;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const ofRoutes = operations.flatMap(({ callbacks: named = {} }) => Object.values(named).flatMap((urls) => Object.values(urls)));
const callbacks = [...Object.values(document.webhooks), ...ofRoutes].map(({ post }) => post);

/** Every schema below a value with its path, those that it refers to included, each once. Examples are none. */
function schemasIn(value: unknown): [path: string, schema: Schema][] {
  const found: [string, Schema][] = [];
  const seen = new Set<unknown>();
  const look = (one: unknown, path: string): void => {
    if (typeof one !== 'object' || one === null || seen.has(one)) return;
    seen.add(one);
    if (!Array.isArray(one)) found.push([path, one as Schema]);
    const { $ref } = one as Schema;
    const name = typeof $ref === 'string' ? /^#\/components\/schemas\/(.+)$/.exec($ref)?.[1] : undefined;
    if (name !== undefined) look(components.schemas[name], name);
    for (const [key, inside] of Object.entries(one))
      if (key !== 'example' && key !== 'examples' && key !== 'x-extensible-enum') look(inside, `${path}/${key}`);
  };
  look(value, '');
  return found;
}
const answers = schemasIn([
  operations.map(({ responses }) => responses),
  components.responses,
  components.headers,
  callbacks.map((post) => post.requestBody),
]);
const requests = schemasIn(operations.map(({ parameters, requestBody }) => [parameters, requestBody]));
const all = schemasIn([document.paths, document.webhooks, components]);

test('requests and responses share no schema: one is closed, the other open', () => {
  const named = (schemas: [string, Schema][]) => schemas.flatMap(([path]) => (path.includes('/') ? [] : [path]));
  const sent = new Set(named(requests));
  expect(named(answers).filter((name) => sent.has(name))).toEqual([]);
  expect([...sent, ...named(answers)].sort()).toEqual(Object.keys(components.schemas).sort());
});

describe('numbers', () => {
  test('are of format double in responses, so that no client takes 32 bits', () => {
    const numbers = answers.filter(([, { type }]) => [type].flat().includes('number'));
    expect(numbers.length).toBeGreaterThan(50);
    expect(numbers.filter(([, { format }]) => format !== 'double')).toEqual([]);
  });

  test('of requests are a Decimal each: a number or a string', () => {
    const numbers = requests.filter(([path, { type }]) => [type].flat().includes('number') && !path.startsWith('Decimal/'));
    expect(numbers).toEqual([]);
    expect(components.schemas['Decimal']?.oneOf).toMatchObject([{ type: 'number', format: 'double' }, { type: 'string' }]);
    const { quantity, tax_rate } = components.schemas['ItemInput']?.properties as Record<string, Schema>;
    expect(quantity).toMatchObject({ $ref: '#/components/schemas/Decimal' });
    expect(quantity?.description).toMatch(/ At most 12 digits before and 8 after the point, not zero\.$/);
    expect(JSON.stringify(tax_rate)).toContain('#/components/schemas/Decimal');
  });

  test('that are whole are integers, of format int64 where 32 bits do not hold them', () => {
    const integers = all.filter(([, { type }]) => [type].flat().includes('integer'));
    const wrong = integers.filter(([, { format, maximum = Infinity }]) => (maximum as number) > 2 ** 31 - 1 !== (format === 'int64'));
    expect(wrong).toEqual([]);
    expect(integers.length).toBeGreaterThan(30);
  });
});

test('days and moments have no length or pattern: clients make objects of them, which have none', () => {
  const times = all.filter(([, { format }]) => format === 'date' || format === 'date-time');
  expect(times.length).toBeGreaterThan(50);
  expect(times.filter(([, schema]) => 'maxLength' in schema || 'minLength' in schema || 'pattern' in schema)).toEqual([]);
});

describe('closed lists', () => {
  test('are open in responses', () => {
    expect(answers.filter(([, schema]) => 'enum' in schema)).toEqual([]);
    expect(components.schemas['AnyInvoiceStatus']).toMatchObject({
      type: 'string',
      'x-extensible-enum': expect.arrayContaining(['draft']),
    });
    const { status } = components.schemas['Invoice']?.properties as Record<string, Schema>;
    expect(status).toEqual({
      $ref: '#/components/schemas/AnyInvoiceStatus',
      description: expect.stringMatching(/ Today `draft`, .*`voided`\.$/),
    });
  });

  test('are closed in requests', () => {
    expect(requests.filter(([, schema]) => 'x-extensible-enum' in schema)).toEqual([]);
    expect(components.schemas['PaymentMethod']).toMatchObject({ type: 'string', enum: expect.arrayContaining(['cash', 'card']) });
  });

  test('that are used twice have a name', () => {
    const keys = ['enum', 'x-extensible-enum'];
    const lists = all.flatMap(([path, schema]) =>
      keys.flatMap((key) => (key in schema ? [[path, JSON.stringify(schema[key])] as const] : [])),
    );
    const inline = lists.filter(([path]) => path.includes('/'));
    const twice = inline.filter(([path, values]) => lists.some(([other, same]) => other !== path && same === values));
    expect(twice).toEqual([]);
    for (const name of ['EventName', 'InvoiceStatus', 'PaymentMethod', 'TaxCode']) expect(Object.keys(components.schemas)).toContain(name);
  });
});

describe('rules over several fields', () => {
  test('are words', () => {
    const keywords = ['if', 'then', 'else', 'not', 'allOf', 'dependentRequired', 'dependentSchemas', 'patternProperties', 'contains'];
    // A field may have such a name.
    const found = all.filter(([path, schema]) => !path.endsWith('/properties') && keywords.some((keyword) => keyword in schema));
    expect(found).toEqual([]);
    expect(components.schemas['AdjustmentInput']?.description).toBe('Either `percent` or `amount` is given.');
  });

  test('alternatives are whole values, each with a type or a name', () => {
    const alternatives = all.flatMap(([path, { anyOf, oneOf }]) =>
      [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? [[path, list] as const] : [])),
    );
    expect(alternatives.length).toBeGreaterThan(3);
    expect(alternatives.filter(([, list]) => !list.every((one: Schema) => '$ref' in one || 'type' in one))).toEqual([]);
  });
});

describe('the frame', () => {
  test('every tag is declared with a text and used', () => {
    const used = new Set([...operations, ...callbacks].flatMap(({ tags }) => tags));
    expect(document.tags.map(({ name }) => name).sort()).toEqual([...used].sort());
    for (const { description } of document.tags) expect(description).toMatch(/\.$/);
  });

  test('paths refer to every schema, those of events too: some generators leave out the others', () => {
    const named = new Set(schemasIn([document.paths, components.responses]).map(([path]) => path));
    expect(Object.keys(components.schemas).filter((name) => !named.has(name))).toEqual([]);
  });

  test('callbacks have a tag of their own', () => {
    expect(new Set(callbacks.flatMap(({ tags }) => tags))).toEqual(new Set(['callbacks']));
    expect(operations.filter(({ tags }) => tags.includes('callbacks'))).toEqual([]);
  });

  test('the server has the version in its path, and paths do not', () => {
    expect(document.servers).toEqual([{ url: 'https://api.example/v1' }]);
    expect(Object.keys(document.paths).filter((path) => path.startsWith('/v1'))).toEqual([]);
  });

  test('has a licence and a contact', () => {
    expect(document.info).toMatchObject({ license: { name: expect.stringMatching(/./) }, contact: { url: 'https://api.example' } });
  });

  test('bodies of requests and successful responses have names', () => {
    const bodies = [...operations, ...callbacks].flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
    const successes = operations.flatMap(({ responses }) => {
      const { content } = (responses['200'] ?? responses['201']) as { content: Record<string, { schema: Schema }> };
      return Object.values(content);
    });
    expect([...bodies, ...successes].filter(({ schema }) => !('$ref' in schema))).toEqual([]);
    expect(components.schemas['ReportTotal']).toMatchObject({
      anyOf: expect.arrayContaining([{ $ref: '#/components/schemas/SalesTotal' }]),
    });
  });
});

test('errors are of one schema: by class, and by status where a client does something of its own', () => {
  const statuses = new Set(operations.flatMap(({ responses }) => Object.keys(responses).filter((status) => /^[45]/.test(status))));
  expect([...statuses].sort()).toEqual(['409', '412', '422', '429', '4XX', '5XX']);
  for (const { responses } of operations) expect(Object.keys(responses)).toEqual(expect.arrayContaining(['429', '4XX', '5XX']));
  for (const response of Object.values(components.responses))
    expect(response).toMatchObject({ content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } });
});
