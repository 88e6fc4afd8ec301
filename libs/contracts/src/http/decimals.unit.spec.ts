import { openApiDocument } from '../openapi/document.ts';
import { routeNames, routes } from '../routes.ts';
import type { Schema } from '../schema/decorators/rule.ts';
import { schemaOf } from '../schema/json-schema.ts';
import { decimalsIn } from './decimals.ts';

test('names decimals by what holds them: of a resource, in a list, of a report', () => {
  expect([...decimalsIn('GET /invoices/{id}')]).toEqual(
    expect.arrayContaining(['.total', 'items.quantity', 'items.unit_price', 'taxes.rate']),
  );
  expect(decimalsIn('GET /invoices')).toContain('data.total');
  expect(decimalsIn('GET /invoices')).not.toContain('meta.total');
  expect(decimalsIn('POST /invoices/batch')).toContain('resource.total');
  expect(decimalsIn('GET /reports/{report}')).toContain('data.tax');
});

test('events are as they are delivered: without any', () => {
  for (const name of ['GET /events', 'GET /events/{id}'] as const) expect(decimalsIn(name)).toEqual(new Set());
});

/** The members with numbers that are not decimals. */
function* wholesIn({ properties = {}, items, anyOf = [] }: Schema, holder = ''): Generator<string> {
  for (const [member, schema] of Object.entries(properties as Record<string, Schema>)) {
    if ([schema['type']].flat().includes('integer')) yield `${holder}.${member}`;
    yield* wholesIn(schema, member);
  }
  for (const schema of [items, ...(anyOf as Schema[])]) if (schema) yield* wholesIn(schema as Schema, holder);
}

test.each(routeNames)('in the response of %s no member is a decimal in one place and a whole number in another', (name) => {
  const wholes = new Set(wholesIn(schemaOf(routes[name].response)));
  expect([...decimalsIn(name)].filter((member) => wholes.has(member))).toEqual([]);
});

test('every number that the document says to be a double is one of them', () => {
  const { components } = openApiDocument({ served: new Set(routeNames), publicUrl: 'https://api.example.com', version: 'v1' }) as {
    components: { schemas: Record<string, { properties?: Record<string, Schema> }> };
  };
  const published = new Set<string>();
  for (const { properties = {} } of Object.values(components.schemas))
    for (const [name, schema] of Object.entries(properties)) if (schema['format'] === 'double') published.add(name);
  const named = new Set(routeNames.flatMap((name) => [...decimalsIn(name)].map((member) => member.split('.')[1])));
  expect([...published].filter((name) => !named.has(name))).toEqual([]);
});
