import { detailsOf } from '@svc/kernel';
import type { RouteName } from './routes.ts';
import { queryValidator } from './route-query.ts';

const validate = (name: RouteName, raw: Record<string, unknown>) => {
  const result = queryValidator(name)(raw);
  return 'problems' in result ? { problems: detailsOf(result.problems) } : result;
};
const wrong = (name: RouteName, raw: Record<string, unknown>): string[] => {
  const result = validate(name, raw);
  return 'problems' in result ? Object.keys(result.problems) : [];
};

describe('query parameters', () => {
  test('page and per_page are numbers, with defaults', () => {
    expect(validate('GET /invoices', {})).toEqual({ value: { page: 1, per_page: 20 } });
    expect(validate('GET /invoices', { page: '3', per_page: '100' })).toEqual({ value: { page: 3, per_page: 100 } });
  });

  test.each(['0', '101', 'abc', '-1', '1.5', '', '1e1', ' 1', '1 ', '0x1', '１', '99999999999999999999'])(
    'per_page=%s is wrong',
    (per_page) => {
      expect(wrong('GET /invoices', { per_page })).toEqual(['per_page']);
    },
  );

  test.each(['0', '-1', 'abc', '1.5', '', '1000000001'])('page=%s is wrong', (page) => {
    expect(wrong('GET /customers', { page })).toEqual(['page']);
  });

  test('every route reports an unknown parameter', () => {
    expect(wrong('GET /invoices', { colour: 'red' })).toEqual(['colour']);
    expect(wrong('GET /invoices/{id}', { page: '1' })).toEqual(['page']);
    expect(wrong('POST /customers', { colour: 'red' })).toEqual(['colour']);
    expect(wrong('GET /account', JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, unknown>)).toEqual([
      '__proto__',
      'constructor',
    ]);
  });

  test.each([
    ['limit', 'per_page'],
    ['pageSize', 'per_page'],
    ['statuss', 'status'],
    ['customerId', 'customer_id'],
    ['cursor', 'page'],
    ['starting_after', 'page'],
    ['order_by', 'sort'],
  ])('of the unknown parameter %s it is asked whether %s is meant', (name, nearest) => {
    const result = queryValidator('GET /invoices')({ [name]: 'x' });
    expect(result).toEqual({
      problems: [
        { field: name, rule: 'unknown', params: { nearest }, message: `There is no such parameter here. Did you mean ${nearest}?` },
      ],
    });
  });

  test('a filter of one list is an unknown parameter of another', () => {
    expect(wrong('GET /receipts', { payment_status: 'paid' })).toEqual(['payment_status']);
    expect(wrong('GET /customers', { status: 'draft' })).toEqual(['status']);
    expect(wrong('GET /invoices', { deleted: 'true' })).toEqual(['deleted']);
  });

  test('a repeated parameter is wrong, with a message of its own', () => {
    expect(validate('GET /invoices', { status: ['draft', 'failed'] })).toEqual({ problems: { status: ['Send this parameter once.'] } });
  });

  test('a filter takes several values, divided by commas, each once', () => {
    const sent = { status: 'draft, failed,draft', customer_id: 'cust_a,cust_b', currency: 'EUR,ALL' };
    expect(validate('GET /invoices', sent)).toMatchObject({
      value: { status: ['draft', 'failed'], customer_id: ['cust_a', 'cust_b'], currency: ['EUR', 'ALL'] },
    });
    expect(validate('GET /webhooks/{id}/deliveries', { status: 'pending,failed' })).toMatchObject({
      value: { status: ['pending', 'failed'] },
    });
  });

  test('a wrong value among several is named, and an empty one is wrong', () => {
    const message = (name: RouteName, raw: Record<string, string>): unknown => validate(name, raw);
    expect(message('GET /invoices', { status: 'draft,exploded' })).toMatchObject({
      problems: { status: [expect.stringContaining('"exploded"')] },
    });
    expect(message('GET /invoices', { currency: `EUR,${'x'.repeat(300)}` })).toMatchObject({
      problems: { currency: [expect.stringContaining(`"${'x'.repeat(64)}…"`)] },
    });
    for (const status of ['draft,', ',draft', 'draft,,failed', ',']) expect(wrong('GET /invoices', { status })).toEqual(['status']);
    for (const tax_id of ['X1, ', ',', `X1,${'x'.repeat(256)}`]) expect(wrong('GET /customers', { tax_id })).toEqual(['tax_id']);
  });

  test('a filter takes at most 20 values', () => {
    const values = (count: number): string => Array.from({ length: count }, (_, n) => `v${n}`).join(',');
    for (const filter of ['customer_id', 'number'])
      expect([20, 21].map((count) => wrong('GET /invoices', { [filter]: values(count) }))).toEqual([[], [filter]]);
    expect(wrong('GET /invoices', { status: Array(500).fill('draft').join(',') })).toEqual([]);
  });

  test('what may have commas in it is looked for whole, too', () => {
    expect(validate('GET /products', { sku: 'A, B' })).toMatchObject({ value: { sku: ['A, B', 'A', 'B'] } });
    expect(validate('GET /products', { sku: ' A,,' })).toMatchObject({ value: { sku: ['A,,', 'A'] } });
    expect(validate('GET /products', { sku: ',' })).toMatchObject({ value: { sku: [','] } });
    expect(validate('GET /invoices', { number: '1,2' })).toMatchObject({ value: { number: ['1,2', '1', '2'] } });
    expect(validate('GET /customers', { email: 'a,b@x.example' })).toMatchObject({
      value: { email: ['a,b@x.example', 'a', 'b@x.example'] },
    });
  });

  test('reports all wrong parameters', () => {
    expect(wrong('GET /invoices', { status: 'lost', sort: '--total', issue_from: '2026-02-30', page: '0' }).sort()).toEqual([
      'issue_from',
      'page',
      'sort',
      'status',
    ]);
  });

  test.each(['created_at', '-created_at', 'total', '-number', 'issue_date'])('sort=%s is known to invoices', (sort) => {
    expect(validate('GET /invoices', { sort })).toEqual({ value: { page: 1, per_page: 20, sort } });
  });

  test.each(['colour', '', '--total', 'name'])('sort=%s is not', (sort) => expect(wrong('GET /invoices', { sort })).toEqual(['sort']));

  test('from and to take a day or a timestamp, which is returned with milliseconds', () => {
    const value = { created_from: '2026-03-01', created_to: '2026-03-01T10:00:00.5Z' };
    expect(validate('GET /invoices', value)).toEqual({
      value: { page: 1, per_page: 20, created_from: '2026-03-01', created_to: '2026-03-01T10:00:00.500Z' },
    });
    for (const created_from of ['yesterday', '2026-02-30', '2026-03-01T24:00:00Z', '2026-03-01 10:00:00', '', ' '])
      expect(wrong('GET /events', { created_from })).toEqual(['created_from']);
  });

  test('a timestamp is any of RFC 3339, also where the + of its offset was not escaped', () => {
    for (const created_from of ['2026-03-01T11:00:00.5009+01:00', '2026-03-01t11:00:00.5009 01:00', ' 2026-03-01T10:00:00.5z'])
      expect(validate('GET /events', { created_from })).toMatchObject({ value: { created_from: '2026-03-01T10:00:00.500Z' } });
    for (const created_from of ['2026-03-01T10:00:00 1:00', '2026-03-01T10:00:00 25:00', '2026-03-01 01:00'])
      expect(wrong('GET /events', { created_from })).toEqual(['created_from']);
  });

  test('texts are trimmed and in NFC, as what is stored', () => {
    const sent = { sku: ' Cafe\u0301-1\t', q: '\u00a0x', active: 'true' };
    expect(validate('GET /products', sent)).toMatchObject({ value: { sku: ['Caf\u00e9-1'], q: 'x', active: true } });
    expect(validate('GET /invoices', { status: ' draft ', currency: 'EUR ', number: ' INV-1' })).toMatchObject({
      value: { status: ['draft'], currency: ['EUR'], number: ['INV-1'] },
    });
    expect(validate('GET /events', { resource_id: ' cust_x', type: 'customer.created\n' })).toMatchObject({
      value: { resource_id: ['cust_x'], type: ['customer.created'] },
    });
  });

  test.each(['', ' ', '\u200b', '\u3164'])('a filter of which nothing is visible is wrong: %j', (text) => {
    expect(wrong('GET /customers', { q: text, email: text, tax_id: text })).toEqual(['email', 'tax_id', 'q']);
    expect(wrong('GET /invoices', { number: text, status: text })).toEqual(['status', 'number']);
  });

  test('flags are true or false', () => {
    expect(validate('POST /invoices/preview', { explain: 'true' })).toEqual({ value: { explain: true } });
    expect(validate('GET /products', { active: 'false' })).toEqual({ value: { page: 1, per_page: 20, active: false } });
    for (const cite of ['perhaps', '1', '', 'TRUE']) expect(wrong('GET /reports/{report}', { cite })).toEqual(['cite']);
  });

  test('validates the parameters of reports', () => {
    for (const [name, value] of Object.entries({
      from: 'yesterday',
      as_of: '2024-02-30',
      group_by: 'colour',
      kind: 'drafts',
      format: 'xls',
      currency: 'eur',
    }))
      expect(wrong('GET /reports/{report}', { [name]: value })).toEqual([name]);
    expect(validate('GET /reports/{report}', { from: '2026-03-01', group_by: 'month', cite: 'true' })).toEqual({
      value: { page: 1, per_page: 20, from: '2026-03-01', group_by: 'month', cite: true },
    });
  });
});
