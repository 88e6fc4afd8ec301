import { oasdiffProgram } from './oasdiff.mjs';
import { openapiBreaks } from './openapi.ts';
import type { JsonSchema } from './refused.ts';
import type { Description } from './releases.ts';
import { changed, described, released } from './testing/changed.ts';

interface Operation {
  operationId: string;
  parameters: { name: string; required: boolean; schema: JsonSchema }[];
  requestBody: { required: boolean; content: Record<string, unknown> };
  responses: Record<string, { headers: JsonSchema; content: Record<string, unknown> }>;
}
interface Webhook {
  post: Pick<Operation, 'parameters' | 'requestBody'>;
}
interface Api {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Webhook>;
  components: { schemas: Record<string, { properties: Record<string, JsonSchema>; required: string[] }>; securitySchemes: JsonSchema };
  security: JsonSchema[];
}
type Change = (api: Api) => void;

let today: Description;
let program: string;
beforeAll(async () => {
  program = oasdiffProgram();
  today = await described('gateway');
});

const shape = (api: Api, name: string) => {
  const found = api.components.schemas[name];
  if (!found) throw new Error(`no schema ${name}`);
  return found;
};
const field = (api: Api, name: string, property: string): JsonSchema => {
  const found = shape(api, name).properties[property];
  if (!found) throw new Error(`no property ${property} of ${name}`);
  return found;
};
/** The values of a list, open or closed. */
const values = (api: Api, name: string): string[] => {
  const { enum: closed, 'x-extensible-enum': open } = shape(api, name) as JsonSchema;
  return (closed ?? open) as string[];
};
const operation = (api: Api, method: string, path: string): Operation => {
  const found = api.paths[path]?.[method];
  if (!found) throw new Error(`no operation ${method} ${path}`);
  return found;
};
const parameter = (api: Api, path: string, name: string) => {
  const found = operation(api, 'get', path).parameters.find((one) => one.name === name);
  if (!found) throw new Error(`no parameter ${name} of ${path}`);
  return found;
};
const without = <Of>(list: readonly Of[], value: Of): Of[] => list.filter((one) => one !== value);
const drop = (api: Api, name: string, property: string): void => {
  field(api, name, property);
  delete shape(api, name).properties[property];
  shape(api, name).required = without(shape(api, name).required, property);
};

const rulesOf = (change: Change, before: Change = () => undefined): string[] => {
  const release = released('gateway', changed<Api>(today, 'openapi.json', before));
  const breaks = openapiBreaks(changed<Api>(today, 'openapi.json', change), [release], program);
  return [...new Set(breaks.map(({ what }) => what.replace(/.*\((.+)\)$/, '$1')))];
};

describe('the published API: the gate refuses', () => {
  test.each<[what: string, rule: string, change: Change]>([
    ['a path that is gone', 'api-path-removed-without-deprecation', (api) => delete api.paths['/webhooks/{id}']],
    ['an operation that is gone', 'api-removed-without-deprecation', (api) => delete api.paths['/invoices/{id}']?.['patch']],
    [
      'another success status',
      'response-success-status-removed',
      (api) => {
        const { responses } = operation(api, 'post', '/invoices');
        responses['200'] = responses['201'] as (typeof responses)[string];
        delete responses['201'];
      },
    ],
    ['a response field that is gone', 'response-required-property-removed', (api) => drop(api, 'Invoice', 'total')],
    [
      'a response field that may be omitted',
      'response-property-became-optional',
      (api) => (shape(api, 'Invoice').required = without(shape(api, 'Invoice').required, 'number')),
    ],
    ['a response field of another type', 'response-property-type-changed', (api) => (field(api, 'Invoice', 'total')['type'] = 'string')],
    [
      'a response field that can be null',
      'response-property-became-nullable',
      (api) => (field(api, 'Invoice', 'currency')['type'] = ['string', 'null']),
    ],
    [
      'a field of the elements of a list in a response that is gone',
      'response-required-property-removed',
      (api) => drop(api, 'Item', 'tax_rate' in shape(api, 'Item').properties ? 'tax_rate' : 'description'),
    ],
    [
      'a response field of another format',
      'response-property-type-changed',
      (api) => (field(api, 'Invoice', 'issue_date')['format'] = 'date-time'),
    ],
    ['a response number of 32 bits', 'format-changed', (api) => (field(api, 'Invoice', 'total')['format'] = 'float')],
    ['a response number without a format', 'format-changed', (api) => delete field(api, 'Invoice', 'total')['format']],
    ['a response integer of 32 bits', 'format-changed', (api) => (field(api, 'Invoice', 'version')['format'] = 'int32')],
    ['a response integer of 64 bits', 'format-changed', (api) => (field(api, 'AttemptEntry', 'n')['format'] = 'int64')],
    [
      'a number of a request in another format',
      'format-changed',
      (api) => {
        const { oneOf } = shape(api, 'Decimal') as unknown as { oneOf: JsonSchema[] };
        Object.assign(oneOf[0] as JsonSchema, { format: 'float' });
      },
    ],
    [
      'a schema of another name',
      'schema-gone',
      (api) => {
        const text = JSON.stringify(api).replaceAll('#/components/schemas/Fiscal"', '#/components/schemas/Registration"');
        Object.assign(api, JSON.parse(text));
        api.components.schemas['Registration'] = shape(api, 'Fiscal');
        delete api.components.schemas['Fiscal'];
      },
    ],
    [
      'a response header that is gone',
      'optional-response-header-removed',
      (api) => delete operation(api, 'get', '/invoices/{id}').responses['200']?.headers['ETag'],
    ],
    [
      'a media type that is gone',
      'response-media-type-removed',
      (api) => delete operation(api, 'get', '/account').responses['200']?.content['application/json'],
    ],
    [
      'a new request field that is required',
      'new-required-request-property',
      (api) => {
        shape(api, 'CreateCustomer').properties['country'] = { type: 'string' };
        shape(api, 'CreateCustomer').required.push('country');
      },
    ],
    [
      'a request field that is required now',
      'request-property-became-required',
      (api) => shape(api, 'CreateCustomer').required.push('email'),
    ],
    ['a request field that is gone: it is 422 then', 'request-property-removed', (api) => drop(api, 'CreateCustomer', 'phone')],
    [
      'a request field of another type',
      'request-property-type-changed',
      (api) => (field(api, 'CreateCustomer', 'name')['type'] = 'integer'),
    ],
    ['a request value that is refused', 'request-property-enum-value-removed', (api) => values(api, 'Rounding').shift()],
    [
      'a shorter text in a request',
      'request-property-max-length-decreased',
      (api) => (field(api, 'CreateCustomer', 'name')['maxLength'] = 10),
    ],
    [
      'a text that has to be longer in a request',
      'request-property-min-length-increased',
      (api) => (field(api, 'CreateCustomer', 'name')['minLength'] = 5),
    ],
    [
      'another pattern in a request',
      'request-property-pattern-changed',
      (api) => (field(api, 'CreateCustomer', 'name')['pattern'] = '^[A-Z]+$'),
    ],
    [
      'a shorter list in a request',
      'request-property-max-items-decreased',
      (api) => (field(api, 'CreateInvoice', 'items')['maxItems'] = 5),
    ],
    [
      'a map of other values in a request',
      'request-property-type-changed',
      (api) => (field(api, 'CreateCustomer', 'metadata')['additionalProperties'] = { type: 'integer' }),
    ],
    [
      'a parameter that is gone: it is 400 then',
      'request-parameter-removed',
      (api) => {
        const listed = operation(api, 'get', '/invoices');
        listed.parameters = listed.parameters.filter(({ name }) => name !== 'currency');
      },
    ],
    [
      'a parameter that is required now',
      'request-parameter-became-required',
      (api) => (parameter(api, '/invoices', 'currency').required = true),
    ],
    [
      'a new parameter that is required',
      'new-required-request-parameter',
      (api) =>
        operation(api, 'get', '/invoices').parameters.push({
          ...parameter(api, '/invoices', 'currency'),
          name: 'country',
          required: true,
        }),
    ],
    ['a smaller page', 'request-parameter-max-decreased', (api) => (parameter(api, '/invoices', 'per_page').schema['maximum'] = 50)],
    [
      'another default',
      'request-parameter-default-value-changed',
      (api) => (parameter(api, '/invoices', 'per_page').schema['default'] = 50),
    ],
    ['a value of a parameter that is refused', 'request-parameter-enum-value-removed', (api) => values(api, 'DocumentSort').pop()],
    [
      'another name in generated clients',
      'api-operation-id-removed',
      (api) => (operation(api, 'get', '/invoices').operationId = 'findInvoices'),
    ],
    [
      'the header of a key that is gone',
      'security-gone',
      (api) => {
        api.security = api.security.filter((way) => !('apiKey' in way));
        delete api.components.securitySchemes['apiKey'];
      },
    ],
    ['a key in another header', 'security-gone', (api) => ((api.components.securitySchemes['apiKey'] as { name: string }).name = 'X-Key')],
    ['both headers instead of either', 'security-gone', (api) => (api.security = [{ bearer: [], apiKey: [] }])],
    [
      'a type of event that is gone from a list of all types',
      'request-parameter-property-enum-value-removed',
      (api) => values(api, 'EventName').pop(),
    ],
    ['a webhook that is gone', 'api-path-removed-without-deprecation', (api) => delete api.webhooks['invoice.voided']],
    ['a field of a webhook that is gone', 'response-required-property-removed', (api) => drop(api, 'InvoiceEvent', 'sequence')],
    [
      'a header of a webhook that is gone',
      'required-response-header-removed',
      (api) => {
        const { post } = api.webhooks['invoice.voided'] as Webhook;
        post.parameters = post.parameters.slice(1);
      },
    ],
  ])('%s', (_what, rule, change) => {
    expect(rulesOf(change)).toContain(rule);
  });
});

test('the published API: the gate refuses a value that is new in a closed list of a response, and lets one of an open list through', () => {
  const close: Change = (api) => Object.assign(shape(api, 'AnyInvoiceStatus'), { enum: [...values(api, 'AnyInvoiceStatus')] });
  const add: Change = (api) => {
    close(api);
    values(api, 'AnyInvoiceStatus').push('archived');
  };
  expect(rulesOf(add, close)).toContain('response-property-enum-value-added');
  expect(rulesOf((api) => values(api, 'AnyInvoiceStatus').push('archived'))).toEqual([]);
});

test('the published API: the gate lets a length of a day or a moment come and go, and not that of a text', () => {
  const limit =
    (property: string): Change =>
    (api) =>
      (field(api, 'Invoice', property)['maxLength'] = 24);
  expect(rulesOf(() => undefined, limit('created_at'))).toEqual([]);
  expect(rulesOf(limit('created_at'))).toEqual([]);
  expect(rulesOf((api) => delete field(api, 'Invoice', 'currency')['maxLength'])).toEqual(['response-property-max-length-unset']);
});

test('the published API: the gate refuses that an operation goes which the release has marked deprecated', () => {
  const deprecate: Change = (api) => ((operation(api, 'get', '/invoices') as { deprecated?: boolean }).deprecated = true);
  expect(rulesOf((api) => delete api.paths['/invoices']?.['get'], deprecate)).toContain('api-removed-with-deprecation');
});

describe('the published API: the gate lets through', () => {
  test.each<[what: string, change: Change]>([
    ['nothing changed', () => undefined],
    ['a new path', (api) => (api.paths['/suppliers'] = structuredClone(api.paths['/customers']) as Record<string, Operation>)],
    ['a new response field', (api) => (shape(api, 'Invoice').properties['country'] = { type: 'string' })],
    [
      'a new response field that is always there, also in webhooks',
      (api) => {
        shape(api, 'Invoice').properties['country'] = { type: 'string' };
        shape(api, 'Invoice').required.push('country');
      },
    ],
    [
      'a new field of an object that can be null',
      (api) => {
        shape(api, 'Fiscal').properties['country'] = { type: 'string' };
        shape(api, 'Fiscal').required.push('country');
      },
    ],
    [
      'a new field of an object that can be null in a request',
      (api) => (shape(api, 'AddressInput').properties['floor'] = { type: 'string' }),
    ],
    ['a new request field that may be omitted', (api) => (shape(api, 'CreateCustomer').properties['country'] = { type: 'string' })],
    ['a request field that may be omitted now', (api) => (shape(api, 'CreateCustomer').required = [])],
    ['a further request value', (api) => values(api, 'Rounding').push('up')],
    ['a longer text in a request', (api) => (field(api, 'CreateCustomer', 'name')['maxLength'] = 10_000)],
    [
      'a new parameter that may be omitted',
      (api) => operation(api, 'get', '/invoices').parameters.push({ ...parameter(api, '/invoices', 'currency'), name: 'country' }),
    ],
    ['a larger page', (api) => (parameter(api, '/invoices', 'per_page').schema['maximum'] = 200)],
    ['other descriptions', (api) => (field(api, 'Invoice', 'total')['description'] = 'What is owed.')],
    [
      'a new type of event, in its webhook and in all lists of types',
      (api) => {
        api.webhooks['invoice.archived'] = structuredClone(api.webhooks['invoice.voided']) as Webhook;
        for (const name of ['EventName', 'EventSubscription', 'AnyEventName', 'AnyEventSubscription'])
          values(api, name).push('invoice.archived');
        (field(api, 'CreateWebhook', 'events') as { maxItems: number }).maxItems += 1;
      },
    ],
  ])('%s', (_what, change) => {
    expect(rulesOf(change)).toEqual([]);
  });
});
