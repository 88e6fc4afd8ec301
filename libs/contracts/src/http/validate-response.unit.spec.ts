import { jsonNumber } from '@svc/kernel';
import { fixtureOf } from '../testing/fixtures.ts';
import { responseProblems } from '../testing/validate-response.ts';

const dataOf = (type: string) => (JSON.parse(fixtureOf(type)) as { data: Record<string, unknown> }).data;
const invoice = () => dataOf('invoicing.invoice-submitted.v1');
const request_id = `req_${'0'.repeat(26)}`;

describe('responseProblems', () => {
  test('finds no problem in a response of the route', () => {
    const meta = { current_page: 1, per_page: 20, total: 1, last_page: 1 };
    const links = { first: 'https://x/v1/invoices?page=1', last: 'https://x/v1/invoices?page=1', prev: null, next: null };
    expect(responseProblems('GET /invoices/{id}', 200, invoice())).toEqual([]);
    expect(responseProblems('GET /invoices', 200, { data: [invoice()], meta, links })).toEqual([]);
    expect(responseProblems('GET /receipts/{id}', 200, dataOf('invoicing.receipt-voided.v1'))).toEqual([]);
    expect(responseProblems('GET /customers/{id}', 200, dataOf('invoicing.customer-erased.v1'))).toEqual([]);
    expect(
      responseProblems('POST /invoices/batch', 200, {
        object: 'batch',
        succeeded: 1,
        failed: 0,
        data: [{ index: 0, status: 201, resource: invoice() }],
      }),
    ).toEqual([]);
  });

  test('amounts may be raw JSON', () => {
    expect(responseProblems('GET /invoices/{id}', 200, { ...invoice(), total: jsonNumber('123456789012.12345678') })).toEqual([]);
  });

  test('reports a missing field, an unknown field, a wrong type and a wrong status', () => {
    const { total: _, ...less } = invoice();
    expect(responseProblems('GET /invoices/{id}', 200, less)).toHaveLength(1);
    expect(responseProblems('GET /invoices/{id}', 200, { ...invoice(), colour: 'red' })).toHaveLength(1);
    expect(responseProblems('GET /invoices/{id}', 200, { ...invoice(), total: '120.60' })[0]).toContain('/total');
    expect(responseProblems('POST /invoices', 200, invoice())[0]).toContain('status');
  });

  test('errors have their own shape', () => {
    const error = { code: 'not_found', message: 'There is no such invoice.', request_id };
    expect(responseProblems('GET /invoices/{id}', 404, { error })).toEqual([]);
    expect(responseProblems('GET /invoices/{id}', 422, { error: { ...error, details: { name: ['x'] } } })).toEqual([]);
    expect(responseProblems('GET /invoices/{id}', 422, { error: { ...error, details: { name: 'x' } } })).not.toEqual([]);
    expect(responseProblems('GET /invoices/{id}', 404, { error: { code: 'not_found' } })).not.toEqual([]);
  });
});
