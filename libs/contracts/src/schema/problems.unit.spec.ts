import { parseExact } from '@svc/kernel';
import { CreateCustomer, UpdateCustomer } from '../customer/requests.ts';
import { ResolveDocument } from '../document/submission.ts';
import { EmptyBody } from '../http/none.ts';
import { CreateInvoice, CreateInvoices } from '../invoice/requests.ts';
import { UpdateIssuer } from '../issuer/requests.ts';
import { CreateReceipt } from '../receipt/requests.ts';
import { CreateWebhook } from '../webhook/requests.ts';
import { problemsOf } from './problems.ts';
import { problemDetails } from './testing/problem-details.ts';

const cust = `cust_${'0'.repeat(26)}`;
const item = (over: object = {}) => ({ description: 'Consulting', unit_price: 50.25, tax_rate: 20, ...over });
const invoice = (over: object = {}) => ({ customer_id: cust, items: [item()], ...over });
const named = (problems: object | undefined): string[] => Object.keys(problems ?? {}).sort();

describe('the problems of a body', () => {
  test('a valid body has none', () => {
    expect(
      problemDetails(
        CreateInvoice,
        invoice({ currency: 'EUR', metadata: { a: 'b' }, notes: null, discounts: [{ percent: '12.5', reason: 'kind' }] }),
      ),
    ).toBeUndefined();
  });

  test('reports all wrong fields by their path, each once', () => {
    const body = { items: [item(), item({ quantity: 'many', colour: 'red' })], notes: 7 };
    expect(named(problemDetails(CreateInvoice, body))).toEqual(['customer_id', 'items.1.colour', 'items.1.quantity', 'notes']);
    expect(problemDetails(CreateInvoice, body)?.customer_id).toEqual([expect.stringContaining('required')]);
  });

  test.each([
    [{ type: 'credit_note' }, ['corrects']],
    [{ type: 'corrective', corrects: null }, ['corrects']],
    [{ type: 'corrective', corrects: `inv_${'0'.repeat(26)}` }, []],
    [{ corrects: `inv_${'0'.repeat(26)}` }, ['corrects']],
    [{ type: 'credit_note', corrects: 'inv_1' }, ['corrects']],
    [{ type: 'proforma' }, ['type']],
    [{ type: 'standard', corrects: null }, []],
  ])('what corrects an invoice names it, and nothing else does: %j', (over, fields) => {
    expect(named(problemDetails(CreateInvoice, invoice(over)))).toEqual(fields);
  });

  test('reports unknown fields at any depth', () => {
    expect(named(problemDetails(CreateCustomer, { name: 'x', address: { planet: 'Mars' } }))).toEqual(['address.planet']);
    expect(named(problemDetails(EmptyBody, { colour: 'red' }))).toEqual(['colour']);
    expect(named(problemDetails(CreateCustomer, JSON.parse('{"name":"x","__proto__":{"a":1},"constructor":{"name":"y"}}')))).toEqual([
      '__proto__',
      'constructor',
    ]);
  });

  test.each([null, [], 'text', 7, true, parseExact('12345678901234567890')])('%p is no object', (body) => {
    expect(named(problemDetails(CreateCustomer, body))).toEqual(['body']);
    expect(named(problemDetails(EmptyBody, body))).toEqual(['body']);
  });

  test('a number with more than 15 digits is invalid, with a message that asks for a string; a string is valid', () => {
    const body = (price: string) =>
      parseExact(JSON.stringify(invoice({ items: [item({ unit_price: 'PRICE' })] })).replace('"PRICE"', price));
    expect(problemDetails(CreateInvoice, body('1234567890.123456'))?.['items.0.unit_price']?.join()).toContain('send it as a string');
    expect(problemDetails(CreateInvoice, body('"1234567890.123456"'))).toBeUndefined();
    expect(problemDetails(CreateInvoice, body('1234567890.12345'))).toBeUndefined();
    expect(named(problemDetails(CreateInvoice, parseExact('{"items":12345678901234567890,"metadata":12345678901234567890}')))).toEqual([
      'customer_id',
      'items',
      'metadata',
    ]);
  });

  test.each(['', 'abc', '1e3', '1,5', '0x10', 'NaN', true, [], {}, null, -1, '-1', '0.123456789', '1000000000000', 1e21])(
    '%p is no price',
    (unit_price) => {
      expect(named(problemDetails(CreateInvoice, invoice({ items: [item({ unit_price })] })))).toEqual(['items.0.unit_price']);
    },
  );

  test.each([0, 0.00000001, 12.3, '12.30', '999999999999', '0.12345678', 999999999999.5])('%p is a price', (unit_price) => {
    expect(problemDetails(CreateInvoice, invoice({ items: [item({ unit_price })] }))).toBeUndefined();
  });

  test('a quantity may be negative, and not zero', () => {
    for (const quantity of [-1, '-0.5', 3]) expect(problemDetails(CreateInvoice, invoice({ items: [item({ quantity })] }))).toBeUndefined();
    for (const quantity of [0, '0.00', '-0'])
      expect(named(problemDetails(CreateInvoice, invoice({ items: [item({ quantity })] })))).toEqual(['items.0.quantity']);
  });

  test('a line needs a price or a product', () => {
    expect(named(problemDetails(CreateInvoice, invoice({ items: [{ description: 'no price' }] })))).toEqual(['items.0.unit_price']);
    expect(problemDetails(CreateInvoice, invoice({ items: [{ product_id: `prod_${'0'.repeat(26)}` }] }))).toBeUndefined();
  });

  test('an adjustment is either percent or amount', () => {
    for (const discount of [{ amount: 1, percent: 1 }, { reason: 'none' }])
      expect(named(problemDetails(CreateInvoice, invoice({ discounts: [discount] })))).toEqual(['discounts.0.percent']);
  });

  test('a receipt has a payment method or payments', () => {
    expect(named(problemDetails(CreateReceipt, { items: [item()] }))).toEqual(['payment_method']);
    expect(problemDetails(CreateReceipt, { items: [item()], payments: [{ method: 'cash', amount: '5.00' }] })).toBeUndefined();
    expect(named(problemDetails(CreateReceipt, { items: [], payment_method: 'shells' }))).toEqual(['items', 'payment_method']);
  });

  test('validates the resolution of a submission', () => {
    expect(named(problemDetails(ResolveDocument, { outcome: 'registered', note: 'n' }))).toEqual(['code']);
    expect(problemDetails(ResolveDocument, { outcome: 'not_registered', code: 'X', note: 'n' })).toBeUndefined();
    expect(named(problemDetails(ResolveDocument, { code: 'X', note: 'n' }))).toEqual(['outcome']);
    expect(problemDetails(ResolveDocument, { outcome: 'not_registered', note: 'n' })).toBeUndefined();
  });

  test('a PATCH may remove optional fields only', () => {
    expect(problemDetails(UpdateCustomer, { phone: null, address: { line2: null }, metadata: { a: null } })).toBeUndefined();
    expect(problemDetails(UpdateCustomer, { metadata: null, address: null })).toBeUndefined();
    expect(problemDetails(UpdateCustomer, { name: null })?.name).toEqual([
      'Send text of 1 to 255 characters, without control characters and line breaks.',
    ]);
    expect(named(problemDetails(UpdateCustomer, { id: 'x', version: 2 }))).toEqual(['id', 'version']);
    expect(problemDetails(UpdateIssuer, {})).toBeUndefined();
  });

  test.each([
    { currency: 'EURO' },
    { currency: 'eur' },
    { time_zone: 'Mars/Olympus' },
    { country: 'EL' },
    { language: 'es_ES' },
    { rounding: 'up' },
    { authority: 'none' },
  ])('%p is wrong', (body) => {
    expect(named(problemDetails(UpdateIssuer, body))).toEqual(Object.keys(body));
  });

  test('a series format must contain {seq}', () => {
    expect(
      problemDetails(UpdateIssuer, { series: { standard: { code: 'ACME', format: '{series}/{year}/{seq}', start: 41 } } }),
    ).toBeUndefined();
    for (const format of ['{seq}', '{seq:6}/{seq}', 'A-{seq}-{year}', 'F{series}.{seq}_', '-{seq}'])
      expect(problemDetails(UpdateIssuer, { series: { receipt: { format } } })).toBeUndefined();
    for (const format of ['{series}', '{seq:0}', '{seq}{what}', '{seq} {seq}', ''])
      expect(named(problemDetails(UpdateIssuer, { series: { receipt: { format } } }))).toEqual(['series.receipt.format']);
  });

  test('a series format separates {seq} from letters, digits and tokens', () => {
    for (const format of ['{series}{seq}', 'F{seq}', '{seq:6}7', '{seq}{year}', '{seq}{seq}', '{seq}-{series}{seq}', '{seq}-{seq}A'])
      expect(named(problemDetails(UpdateIssuer, { series: { receipt: { format } } }))).toEqual(['series.receipt.format']);
  });

  test('text is bounded in characters and has no control characters', () => {
    for (const name of ['x'.repeat(255), '\u{1F600}'.repeat(255)]) expect(problemDetails(CreateCustomer, { name })).toBeUndefined();
    for (const name of ['', 'x'.repeat(256), 'a\u0000b', 'a\u001bb', 'a\u007fb', 'a\nb', 7, null])
      expect(named(problemDetails(CreateCustomer, { name }))).toEqual(['name']);
  });

  test('metadata is bounded in pairs, keys and values', () => {
    const pairs = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 'v']));
    for (const metadata of [{}, pairs(50), { ['k'.repeat(40)]: 'v'.repeat(500) }, { k: '' }])
      expect(problemDetails(CreateCustomer, { name: 'x', metadata })).toBeUndefined();
    for (const metadata of [pairs(51), 'text', ['a'], null])
      expect(named(problemDetails(CreateCustomer, { name: 'x', metadata }))).toEqual(['metadata']);
    for (const metadata of [{ k: 'v'.repeat(501) }, { k: 1 }, { k: { a: 'b' } }, { k: null }])
      expect(named(problemDetails(CreateCustomer, { name: 'x', metadata }))).toEqual(['metadata.k']);
    expect(named(problemDetails(CreateCustomer, { name: 'x', metadata: { ['k'.repeat(41)]: 'v' } }))).toEqual([
      `metadata.${'k'.repeat(41)}`,
    ]);
  });

  test('webhook events are names, or only the star', () => {
    const url = 'https://example.com/';
    for (const events of [['*'], ['invoice.created', 'customer.deleted']])
      expect(problemDetails(CreateWebhook, { url, events })).toBeUndefined();
    for (const events of [undefined, [], 'invoice.created', ['*', 'invoice.created'], ['invoice.created', 'invoice.created']])
      expect(named(problemDetails(CreateWebhook, { url, events }))).toEqual(['events']);
    for (const events of [['invoice.exploded'], [7]]) expect(named(problemDetails(CreateWebhook, { url, events }))).toEqual(['events.0']);
  });

  test('validates only the envelope of a batch, not its requests', () => {
    expect(problemDetails(CreateInvoices, { requests: [invoice(), { items: [] }] })).toBeUndefined();
    for (const requests of [[], Array(101).fill(invoice()), 'x', undefined])
      expect(named(problemDetails(CreateInvoices, { requests }))).toEqual(['requests']);
    expect(named(problemDetails(CreateInvoices, { requests: [7] }))).toEqual(['requests.0']);
  });

  test('does not look into a list or object that is too large', () => {
    const unread = new Proxy(Array(501), {
      get: (list, key) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) throw new Error(`element ${key} was read`);
        return Reflect.get(list, key) as unknown;
      },
    });
    expect(problemDetails(CreateInvoice, invoice({ items: unread }))).toEqual({ items: ['Send a list of 1 to 500 objects.'] });
    const pairs = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 7]));
    expect(named(problemDetails(CreateCustomer, { name: 'x', metadata: pairs }))).toEqual(['metadata']);
  });

  test('stops after a hundred problems', () => {
    const items = Array.from({ length: 500 }, () => item({ unit_price: 'cheap' }));
    let read = 0;
    const counted = new Proxy(items, { get: (list, key) => (read += typeof key === 'string' && /^\d+$/.test(key) ? 1 : 0, Reflect.get(list, key)) as unknown }); // prettier-ignore
    expect(named(problemDetails(CreateInvoice, invoice({ items: counted })))).toHaveLength(100);
    expect(read).toBeLessThan(150);
    const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, 1]));
    expect(named(problemDetails(CreateInvoice, unknown))).toHaveLength(100);
  });

  test('reports a problem in a list or object without a rule of its own by its path', () => {
    const events = ['invoice.created', 'invoice.exploded'];
    expect(Object.keys(problemDetails(CreateWebhook, { url: 'https://x.example', events }) ?? {})).toEqual(['events.1']);
    expect(problemDetails(UpdateIssuer, { units: [{ code: 'A', devices: ['T1', 'T\u00852'] }] })).toEqual({
      'units.0.devices.1': ['Send text without control characters and line breaks.'],
    });
    expect(problemDetails(UpdateIssuer, { units: [7] })).toEqual({ 'units.0': ['Send an object.'] });
  });

  test('proposes the nearest field, at any depth, for the first ten unknown names', () => {
    const sent = invoice({ customerId: 'x', items: [item({ qty: 2, taxes: [{ rat: 20 }] })], colour: 'red', due: '2026-03-01' });
    expect(problemDetails(CreateInvoice, sent)).toMatchObject({
      customerId: ['There is no such field here. Did you mean customer_id?'],
      'items.0.qty': ['There is no such field here. Did you mean quantity?'],
      'items.0.taxes.0.rat': ['There is no such field here. Did you mean rate?'],
      due: ['There is no such field here. Did you mean due_date?'],
      colour: ['There is no such field here. Leave it out.'],
    });
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`notes${n}`, 1]));
    const meant = Object.values(problemDetails(CreateInvoice, invoice(many)) ?? {}).filter(([message]) =>
      message?.includes('Did you mean'),
    );
    expect(meant).toHaveLength(10);
  });

  test('says the kind of each problem and its values, which are never those of the request', () => {
    const sent = {
      items: [
        item({ quantity: 'many', unit: 'pieces', qty: 1, taxes: Array.from({ length: 11 }, () => ({ rate: 1 })) }),
        item({ unit_price: -1 }),
      ],
      type: 'credit_note',
      currency: 'euro',
      rounding: 'up',
      notes: 'x'.repeat(2_001),
      prices_include_tax: 'yes',
      issue_date: 'today',
      metadata: { ['k'.repeat(41)]: 'v', long: 'v'.repeat(501), number: 1 },
    };
    const found = problemsOf(CreateInvoice, sent)?.map(({ field, rule, params }) => [field.replace(/k{41}/, 'k…'), rule, params]);
    expect(found).toEqual(
      expect.arrayContaining([
        ['customer_id', 'required', {}],
        ['items.0.quantity', 'decimal', { digits: 12, decimals: 8, sign: 'not zero' }],
        ['items.0.unit', 'max_length', { max: 3 }],
        ['items.0.qty', 'unknown', { nearest: 'quantity' }],
        ['items.0.taxes', 'max_items', { max: 10 }],
        ['items.1.unit_price', 'decimal', { digits: 12, decimals: 8, sign: 'not negative' }],
        ['corrects', 'combination', {}],
        ['currency', 'max_length', { max: 3 }],
        ['rounding', 'enum', { values: ['line', 'precise'] }],
        ['notes', 'max_length', { max: 2_000 }],
        ['prices_include_tax', 'type', { types: ['boolean'] }],
        ['issue_date', 'format', { format: 'day' }],
        ['metadata.k…', 'max_length', { max: 40 }],
        ['metadata.long', 'max_length', { max: 500 }],
        ['metadata.number', 'type', { types: ['string'] }],
      ]),
    );
    expect(JSON.stringify(found)).not.toMatch(/many|pieces|euro|today/);
    const params = parseExact('{"items":[{"unit_price":1234567890.1234567}]}');
    expect(problemsOf(CreateInvoice, params)).toContainEqual(
      expect.objectContaining({ field: 'items.0.unit_price', rule: 'precision', params: { max: 15 } }),
    );
  });

  test.each([null, [], 'text', 7, true])('of the body %j say what a body is', (body) => {
    expect(problemsOf(CreateCustomer, body)).toEqual([
      { field: 'body', rule: 'type', params: { types: ['object'] }, message: 'The body has to be a JSON object: {"field": value, …}.' },
    ]);
  });

  test('of metadata say how long keys and values may be, and how many pairs there are', () => {
    const pairs = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 'v']));
    expect(problemDetails(UpdateCustomer, { metadata: { ['k'.repeat(41)]: 'v', b: 'v'.repeat(501), c: 1 } })).toEqual({
      [`metadata.${'k'.repeat(41)}`]: ['Send a key of at most 40 characters.'],
      'metadata.b': ['Send text of at most 500 characters.'],
      'metadata.c': ['Send text or null.'],
    });
    expect(problemDetails(UpdateCustomer, { metadata: pairs(51) })?.metadata?.[0]).toContain('at most 50 pairs');
  });
});
