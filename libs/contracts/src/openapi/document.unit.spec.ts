import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { routeNames } from '../routes.ts';
import type { Schema } from '../schema/decorators/rule.ts';
import { openApiDocument } from './document.ts';

interface Operation {
  operationId: string;
  parameters: { name?: string; in?: string; $ref?: string }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }>; $ref?: string }>;
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, Schema>>;
}
const printed = (served: Iterable<(typeof routeNames)[number]>): Document =>
  JSON.parse(JSON.stringify(openApiDocument({ served: new Set(served), publicUrl: 'https://api.example', version: '1.2.3' }))) as Document;
const document = printed(routeNames);
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

describe('the published document', () => {
  test('has every served route and no other', () => {
    const names = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(names.sort()).toEqual([...routeNames].sort());
    expect(Object.keys(printed(['GET /account']).paths)).toEqual(['/account']);
    expect(document.openapi).toBe('3.1.0');
  });

  test('has every component that it refers to', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
    expect(refs.length).toBeGreaterThan(500);
    for (const [, kind = '', name = ''] of refs) expect(Object.keys(document.components[kind] ?? {})).toContain(name);
  });

  test('has unique operation ids in the style of client methods', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(
      expect.arrayContaining([
        'listInvoices',
        'createInvoice',
        'previewInvoice',
        'batchCreateInvoices',
        'batchSubmitInvoices',
        'submitInvoice',
        'listInvoicePayments',
        'deleteInvoicePayment',
        'getIssuer',
        'putFiscalCredentials',
        'getReport',
        'rotateWebhookSecret',
        'redeliverWebhookDelivery',
        'listEventTypes',
        'rotateApiKey',
      ]),
    );
  });

  test('has schemas that are valid JSON Schema 2020-12 and reject wrong values', () => {
    const ajv = addFormats.default(new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true }));
    ajv.addKeyword('components');
    ajv.addKeyword('x-extensible-enum');
    ajv.addSchema({ $id: 'doc', components: document.components }, 'doc');
    for (const name of Object.keys(document.components.schemas ?? {}))
      expect(typeof ajv.compile({ $ref: `doc#/components/schemas/${name}` })).toBe('function');
    const invoice = ajv.compile({ $ref: 'doc#/components/schemas/CreateInvoice' });
    const items = [{ unit_price: '9.50', discounts: [{ percent: 10 }] }];
    expect(invoice({ customer_id: `cust_${'0'.repeat(26)}`, items })).toBe(true);
    expect(invoice({ customer_id: `cust_${'0'.repeat(26)}`, items, colour: 1 })).toBe(false);
    expect(invoice({ customer_id: `cust_${'0'.repeat(26)}`, items: [{ unit_price: '9,50' }] })).toBe(false);
  });

  test('allows additional fields in responses and not in requests', () => {
    const { CreateInvoice, ItemInput, Invoice, Item } = document.components.schemas ?? {};
    for (const schema of [CreateInvoice, ItemInput]) expect(schema?.additionalProperties).toBe(false);
    for (const schema of [Invoice, Item]) expect(schema).not.toHaveProperty('additionalProperties');
  });

  test('has the schema of each request of a batch', () => {
    const body = document.paths['/invoices/batch']?.post?.requestBody?.content['application/json']?.schema;
    expect(body).toEqual({ $ref: '#/components/schemas/CreateInvoiceBatch' });
    expect(document.components.schemas?.CreateInvoiceBatch).toMatchObject({
      properties: { requests: { maxItems: 100, items: { $ref: '#/components/schemas/CreateInvoice' } } },
    });
  });

  test('has query parameters, headers and errors', () => {
    const list = document.paths['/invoices']?.get;
    expect(list?.parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['page', 'per_page', 'status', 'created_from', 'sort']),
    );
    const submit = document.paths['/invoices/{id}/submit']?.post;
    expect(submit?.parameters.map(({ name, $ref }) => name ?? $ref?.split('/').at(-1))).toEqual([
      'id',
      'IdempotencyKey',
      'IfMatch',
      'Prefer',
    ]);
    expect(Object.keys(submit?.responses ?? {})).toEqual(['200', '409', '412', '422', '429', '4XX', '5XX']);
    expect(submit?.requestBody?.required).toBe(false);
    expect(document.paths['/customers']?.post?.requestBody?.required).toBe(true);
  });

  test('has no keyword that is not standard', () => {
    const keywords = /"(?:decimal|exact|decimalLimits|plain|together|vocabulary|words)":/;
    expect(JSON.stringify(document.components.schemas)).not.toMatch(keywords);
    expect(JSON.stringify(document.paths)).not.toMatch(keywords);
  });
});
