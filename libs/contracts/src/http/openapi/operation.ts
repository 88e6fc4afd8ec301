import type { Schema } from '../decorators/rule.ts';
import { isOptional } from '../decorators/rule.ts';
import { elementOf } from '../requests/batch.ts';
import type { Route } from '../route.ts';
import { schemaOf } from '../schema.ts';
import type { Components } from './components.ts';
import { failuresOf } from './errors.ts';
import { headersOf, requestHeadersOf } from './headers.ts';
import { operationId } from './operation-id.ts';

/** A route as an OpenAPI operation. */
export function operationOf(route: Route, components: Components): object {
  const { path, ok, body, response, summary } = route;
  return {
    operationId: operationId(route),
    tags: [path.split('/')[1]],
    summary,
    description: described(route),
    parameters: [...pathParameters(path), ...queryParameters(route, components), ...requestHeadersOf(route)],
    ...(body ? { requestBody: requestBody(body, components) } : {}),
    responses: {
      [ok]: {
        description: ok === 201 ? 'Created.' : 'Done.',
        headers: headersOf(route),
        content: { 'application/json': { schema: components.response(response) } },
      },
      ...failuresOf(route),
    },
  };
}

function described({ permission, cost }: Route): string {
  const needs = permission === null ? 'Any valid key may.' : `Needs the permission \`${permission}\`.`;
  const counted = cost ? ` Counts on the limit ${cost.map((name) => `\`${name}\``).join(', ')} as well.` : '';
  return needs + counted;
}

const pathParameters = (path: string): object[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string', maxLength: 64 } }));

function queryParameters({ query }: Route, components: Components): object[] {
  const inline = components.inline(schemaOf(query)).properties as Record<string, Schema>;
  return Object.entries(inline).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: !isOptional(query.prototype as object, name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

function requestBody(body: NonNullable<Route['body']>, components: Components): object {
  const required = (schemaOf(body).required as string[]).length > 0;
  const element = elementOf(body);
  const items = element && components.request(element);
  const schema = items
    ? {
        type: 'object',
        additionalProperties: false,
        required: ['requests'],
        properties: { requests: { type: 'array', minItems: 1, maxItems: 100, items } },
      }
    : components.request(body);
  return { required, content: { 'application/json': { schema } } };
}
