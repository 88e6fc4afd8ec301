import { elementOf, resourceIn } from '../http/batch.ts';
import { ErrorResource } from '../http/error.ts';
import type { Route } from '../http/route.ts';
import type { Class } from '../schema/class.ts';
import { isOptional, type Schema } from '../schema/decorators/rule.ts';
import { schemaOf } from '../schema/json-schema.ts';
import type { Components } from './components.ts';
import { failuresOf } from './errors.ts';
import { draft, erasedCustomer, voiding } from './examples/documents.ts';
import { ids } from './examples/ids.ts';
import { exampleOf, examplesOf } from './examples/index.ts';
import { headersOf, requestHeadersOf } from './headers.ts';
import { tagOf } from './tags.ts';
import { callbacksOf } from './webhooks.ts';

/** Not in the schema: clients that were generated before there were files expect the resource alone. */
const LINK = 'Where a file is asked for by `format`, a link to it, as `GET /v1/invoices/{id}/pdf` answers it.';

export function operationOf(route: Route, components: Components): object {
  const { path, ok, body, response, file, summary } = route;
  return {
    operationId: operationId(route),
    tags: [tagOf(path)],
    summary,
    description: described(route),
    parameters: [...pathParameters(path), ...queryParameters(route, components), ...requestHeadersOf(route)],
    ...(body ? { requestBody: requestBody(body, components) } : {}),
    responses: {
      [ok]: {
        description: ok === 201 ? 'Created.' : file ? `Done. ${LINK}` : 'Done.',
        headers: headersOf(route),
        content: { 'application/json': { schema: components.response(schemaOf(response)), ...exampleFor(route) } },
      },
      ...failuresOf(route),
    },
    ...callbacksOf(route, components),
  };
}

/**
 * The example of the response. A new invoice is a draft, and one that is voided names its corrective; an erased customer has no data; a new endpoint and a
 * rotated key contain their secret.
 */
function exampleFor({ response, path, method }: Route): { example?: object } {
  const resource = resourceIn(response);
  if (resource) return { example: batchExample(path, exampleOf(resource)) };
  const ofRoute = { 'POST /invoices': draft, 'POST /invoices/{id}/void': voiding, 'POST /customers/{id}/erase': erasedCustomer };
  const example = ofRoute[`${method} ${path}` as keyof typeof ofRoute] ?? exampleOf(response);
  const once = {
    'POST /webhooks': { secret: `whsec_${'A'.repeat(43)}=` },
    'POST /api-keys/rotate': { key: `svc_test_${'4fQ'.repeat(12)}ab` },
    'POST /console/api-keys': { key: `svc_test_${'4fQ'.repeat(12)}ab` },
    'POST /console/api-keys/{id}/rotate': { key: `svc_test_${'4fQ'.repeat(12)}ab` },
  };
  return example ? { example: { ...example, ...once[`${method} ${path}` as keyof typeof once] } } : {};
}

/** One item that is done and one that failed. */
const batchExample = (path: string, resource: object | undefined): object => ({
  ...{ object: 'batch', succeeded: 1, failed: 1 },
  data: [
    path.endsWith('/submit')
      ? { index: 0, status: 200, resource }
      : { index: 0, status: 201, resource: path === '/invoices/batch' ? draft : resource },
    { index: 1, status: 422, ...exampleOf(ErrorResource) },
  ],
});

function described({ permission, cost, items }: Route): string {
  const needs = permission === null ? 'Any valid key may.' : `Needs the permission \`${permission}\`.`;
  const counted = cost ? ` Counts on the limit ${cost.map((name) => `\`${name}\``).join(', ')} as well.` : '';
  const batch = items ? ` Every ten of \`${items}\`, rounded up, count as one request on the limit \`plan\`.` : '';
  return needs + counted + batch;
}

const pathParameters = (path: string): object[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: parts[name as keyof typeof parts],
    ...exampleAt(path, name as keyof typeof parts),
    schema: { type: 'string', maxLength: 64 },
  }));

/** By the first segment of the path. */
const resources = {
  ...{ invoices: ids.inv, receipts: ids.rcp, customers: ids.cust, products: ids.prod },
  ...{ 'api-keys': ids.key, webhooks: ids.we, events: ids.evt },
};

function exampleAt(path: string, name: keyof typeof parts): { example?: string } {
  const known: Partial<Record<keyof typeof parts, string>> = { pay: ids.pay, whd: ids.whd, code: 'TILL1', report: 'sales' };
  const example = name === 'id' ? resources[tagOf(path) as keyof typeof resources] : known[name];
  return example === undefined ? {} : { example };
}

const parts = {
  id: 'Identifier of the resource.',
  name: 'Name of the form: letters, digits, `_`, `-`.',
  pay: 'Identifier of the payment.',
  whd: 'Identifier of the delivery.',
  code: 'Code of the till.',
  report: 'Name of the report; `GET /v1/reports` lists them.',
};

function queryParameters({ query }: Route, components: Components): object[] {
  const examples = exampleOf(query) as Record<string, unknown> | undefined;
  return Object.entries(schemaOf(query).properties as Record<string, Schema>).map(([name, field]) => {
    const { description, ...schema } = components.request(field);
    const about = description === undefined ? {} : { description };
    const divided = schema.type === 'array' ? { style: 'form', explode: false } : {}; // by commas
    const shown = examples && name in examples ? { example: examples[name] } : {};
    return { name, in: 'query', required: !isOptional(query.prototype as object, name), ...about, ...divided, ...shown, schema };
  });
}

function requestBody(body: NonNullable<Route['body']>, components: Components): object {
  const required = (schemaOf(body).required as string[]).length > 0;
  const schema = components.request(withElements(body));
  const [example, examples] = [exampleOf(body), examplesOf(body)];
  const shown = examples ? { examples } : example && { example };
  return { required, content: { 'application/json': { schema, ...shown } } };
}

/** The schema of a body; of a batch with that of its requests, which are validated one by one. */
function withElements(body: Class): Schema {
  const schema = schemaOf(body) as Schema & { properties: Record<string, Schema> };
  const element = elementOf(body);
  if (!element) return schema;
  return { ...schema, properties: { requests: { ...schema.properties.requests, items: schemaOf(element) } } };
}

/** The name of the method in generated clients: `listInvoices`, `createInvoice`, `submitInvoice`, `listWebhookDeliveries`. */
function operationId({ method, path, ok, response }: Route): string {
  const segments = path.split('/').slice(1);
  const words = segments.filter((segment) => !segment.startsWith('{'));
  if (method !== 'POST') return named(verbs[method](response.name.endsWith('List')), words, response.name.endsWith('List'));
  if (ok === 201) return named('create', words, false);
  const batch = words.indexOf('batch');
  if (batch > 0) return named(`batch${capital(words[batch + 1] ?? 'create')}`, words.slice(0, batch), true);
  const [verb = '', ...object] = (words.at(-1) ?? '').split('-');
  return named(verb, words.slice(0, -1), false) + object.map(capital).join('');
}

const verbs = {
  GET: (list: boolean) => (list ? 'list' : 'get'),
  PUT: () => 'put',
  PATCH: () => 'update',
  DELETE: () => 'delete',
};

/** The verb and the nouns in the singular; the last noun in the plural if `plural`. */
function named(verb: string, nouns: string[], plural: boolean): string {
  const last = nouns.length - 1;
  return verb + nouns.map((noun, n) => capital(camel(plural && n === last ? noun : singular(noun)))).join('');
}

const singular = (noun: string): string => (noun === 'fiscal-credentials' ? noun : noun.replace(/ies$/, 'y').replace(/s$/, ''));
const camel = (text: string): string => text.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
