import type { RuledDocument } from './ruled.ts';
import { validate } from './validate.ts';

const tax = (over = {}) => ({ category: 'VAT', rate: '20', code: 'S' as const, retained: false, ...over });
const document = (over: Partial<RuledDocument> = {}): RuledDocument => ({
  type: 'standard',
  currency: 'EUR',
  items: [{ taxes: [] }],
  discounts: [],
  charges: [],
  number_format: null,
  ...over,
});
const items = (...taxes: object[]) => [{ taxes: taxes.map(tax) }];
const found = (country: string | null, over: Partial<RuledDocument>): string[] =>
  validate(document(over), { country, currency: 'EUR' }).map(({ field, rule }) => `${field} ${rule}`);

describe('exchange rate', () => {
  test.each([
    ['AL', ['exchange_rate al.exchange_rate']],
    ['ME', ['exchange_rate me.exchange_rate']],
    ['ES', ['exchange_rate es.exchange_rate']],
    ['FR', []],
    [null, []],
  ])("in %s, of a document in another currency than the issuer's", (country, problems) => {
    expect(found(country, { currency: 'USD' })).toEqual(problems);
    expect(found(country, { currency: 'USD', exchange_rate: null })).toEqual(problems);
    expect(found(country, { currency: 'USD', exchange_rate: '0.92' })).toEqual([]);
    expect(found(country, { currency: 'USD', exchange_rate: 0.92 })).toEqual([]);
    expect(found(country, { currency: 'EUR' })).toEqual([]);
  });

  test("a receipt has no rate, so it is in the issuer's currency", () => {
    expect(found('AL', { type: 'receipt', currency: 'USD' })).toEqual(['currency al.exchange_rate']);
    expect(found('FR', { type: 'receipt', currency: 'USD' })).toEqual([]);
  });
});

describe('exemption reason', () => {
  test.each([
    ['AL', 'al'],
    ['ME', 'me'],
    ['ES', 'es'],
    ['FR', 'sandbox'],
  ])('in %s, of a tax with code E', (country, id) => {
    const exempt = (reason?: string | null) => found(country, { items: items({}, { rate: '0', code: 'E', exemption_reason: reason }) });
    const wrong = `items.0.taxes.1.exemption_reason ${id}.exemption_reason`;
    for (const missing of [undefined, null, ' ']) expect(exempt(missing)).toContain(wrong);
    expect(exempt('article 132')).not.toContain(wrong);
    expect(found(country, { items: items({ rate: '0', code: 'AE' }, { rate: '0', code: 'Z' }) })).toEqual([]);
  });

  test('also of a document discount and of a charge', () => {
    const adjustment = [{ taxes: [tax({ rate: '0', code: 'E' })] }];
    expect(found('FR', { discounts: [{}, ...adjustment], charges: adjustment })).toEqual([
      'discounts.1.taxes.0.exemption_reason sandbox.exemption_reason',
      'charges.0.taxes.0.exemption_reason sandbox.exemption_reason',
    ]);
  });

  test('of a receipt where the authority asks for it', () => {
    const receipt = { type: 'receipt' as const, items: items({ rate: '0', code: 'E' }) };
    expect(found('ES', receipt)).toEqual(['items.0.taxes.0.exemption_reason es.exemption_reason']);
    expect(found('FR', receipt)).toEqual([]);
  });
});

describe('VAT rates', () => {
  test.each([
    ['AL', ['20', '10', '6'], '21'],
    ['ME', ['21', '15', '7'], '20'],
    ['ES', ['21', '10', '4', '5', '7.5', '2'], '20'],
  ])('of %s', (country, known, unknown) => {
    const rate = (given: string, over = {}) => found(country, { items: items({ rate: given, ...over }) });
    for (const one of known) expect(rate(one)).toEqual([]);
    expect(rate(unknown)).toEqual([`items.0.taxes.0.rate ${country.toLowerCase()}.vat_rates`]);
    expect(rate('0', { code: 'Z' })).toEqual([]);
    expect(rate(unknown, { category: 'IGIC' })).toEqual([]);
    expect(rate(unknown, { category: 'IRPF', retained: true })).toEqual([]);
  });

  test('a customer abroad may be charged the rate of that country', () => {
    const abroad = (customer_country: string | null) => found('ES', { items: items({ rate: '20' }), customer_country });
    expect(abroad('FR')).toEqual([]);
    expect(abroad('ES')).toHaveLength(1);
    expect(abroad(null)).toHaveLength(1);
  });

  test('of any other country are not known', () => expect(found('FR', { items: items({ rate: '3' }) })).toEqual([]));
});

describe('number format', () => {
  test.each(['AL', 'ME'])('is given in %s', (country) => {
    const rule = `series ${country.toLowerCase()}.number_format`;
    expect(found(country, { number_format: '{seq}/{year}' })).toEqual([]);
    expect(found(country, { number_format: '{series}-{year}-{seq:6}' })).toEqual([rule]);
    expect(found(country, { type: 'credit_note', number_format: '{seq}/{year}' })).toEqual([]);
    expect(found(country, { type: 'receipt', number_format: '{seq}/{year}' })).toEqual([rule]);
    expect(found(country, { type: 'receipt', number_format: '{seq}/{year}/{device}' })).toEqual([]);
  });

  test.each(['ES', 'FR'])('is free in %s', (country) => expect(found(country, { number_format: '{series}/{seq}' })).toEqual([]));
});

test('a document with several faults names all; each message says what to do and by which source', () => {
  const problems = validate(document({ currency: 'USD', items: items({ rate: '20' }, { rate: '0', code: 'E' }) }), {
    country: 'ES',
    currency: 'EUR',
  });
  expect(problems.map(({ field }) => field)).toEqual(['exchange_rate', 'items.0.taxes.1.exemption_reason', 'items.0.taxes.0.rate']);
  for (const { message } of problems) expect(message).toMatch(/BOE-A-\d{4}-\d+/);
});
