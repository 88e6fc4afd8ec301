import { openApiDocument } from './openapi/document.ts';
import { type RouteName, routeNames, routes } from './routes.ts';
import type { Schema } from './schema/decorators/rule.ts';
import { schemaOf } from './schema/json-schema.ts';
import { decimalsIn, inPlace } from './route-decimals.ts';

const namesIn = (name: RouteName): string[] =>
  [...decimalsIn(name)].flatMap(([holder, members]) => [...members].map((member) => `${holder}.${member}`));

test('names decimals by what holds them: of a resource, in a list, of a report', () => {
  expect(namesIn('GET /invoices/{id}')).toEqual(expect.arrayContaining(['.total', 'items.quantity', 'items.unit_price', 'taxes.rate']));
  expect(namesIn('GET /invoices')).toContain('data.total');
  expect(namesIn('GET /invoices')).not.toContain('meta.total');
  expect(namesIn('POST /invoices/batch')).toContain('resource.total');
  expect(namesIn('GET /reports/{report}')).toEqual(expect.arrayContaining(['data.tax', 'totals.total', 'cited.amount']));
});

test.each(['invoices', 'receipts'] as const)('the history of %s shows changes of amounts', (kind) => {
  expect(namesIn(`GET /${kind}/{id}/events`)).toEqual(expect.arrayContaining(['changes.total', 'items.quantity', 'tax_breakdown.base']));
});

test('events are as they are delivered: without any', () => {
  for (const name of ['GET /events', 'GET /events/{id}', 'GET /event-types'] as const) expect(namesIn(name)).toEqual([]);
});

/** The members with numbers that are not decimals. */
function* othersIn(schema: Schema, holder = ''): Generator<string> {
  for (const [member, field] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)) {
    if ([field['type']].flat().some((type) => type === 'integer' || type === 'number')) yield `${holder}.${member}`;
    yield* othersIn(field, member);
  }
  for (const inner of inPlace(schema)) yield* othersIn(inner, holder);
}

test.each(routeNames)('in the response of %s no member is a decimal in one place and another number in another', (name) => {
  const others = new Set(othersIn(schemaOf(routes[name].response)));
  expect(namesIn(name).filter((member) => others.has(member))).toEqual([]);
});

const document = openApiDocument({ served: new Set(routeNames), publicUrl: 'https://api.example.com', version: 'v1' }) as {
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, { responses: Record<string, { content: { 'application/json': { schema: Schema } } }> }>>;
};
const placed = ({ $ref, ...schema }: Schema): Schema =>
  typeof $ref === 'string' ? (document.components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)] as Schema) : schema;

/** The doubles of a published schema; those of a list of doubles and of an object with any names, too. */
function* doublesIn(published: Schema, holder: string, member: string): Generator<string> {
  const { format, properties = {}, items, additionalProperties, ...rest } = placed(published);
  if (format === 'double') yield `${holder}.${member}`;
  for (const [name, field] of Object.entries(properties as Record<string, Schema>)) yield* doublesIn(field, member, name);
  if (items) yield* doublesIn(items as Schema, holder, member);
  if (typeof additionalProperties === 'object') yield* doublesIn(additionalProperties as Schema, member, '*');
  for (const among of ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => (rest[keyword] ?? []) as Schema[]))
    yield* doublesIn(among, holder, member);
}

/** Histories show fields of any document in an object without a schema. */
const described = routeNames.filter((name) => !/^GET .*\{id\}\/events$/.test(name));

test.each(described)('the decimals of %s are the doubles that its response has by the document', (name) => {
  const { method, path, ok } = routes[name];
  const published = document.paths[path]?.[method.toLowerCase()]?.responses[ok]?.content['application/json'].schema;
  expect(published).toBeDefined();
  expect([...new Set(doublesIn(published as Schema, '', ''))].sort()).toEqual(namesIn(name).sort());
});
