import type { RuledDocument, RuledIssuer } from './ruled.ts';
import { validate } from './validate.ts';

// What the simulator of each authority refuses for its content, by the code that it answers, is refused before a number is spent.

const tax = (over = {}) => ({ category: 'VAT', rate: '20', code: 'S' as const, retained: false, ...over });
const items = (...taxes: object[]) => [{ quantity: '1', taxes: taxes.map(tax) }];
const lines = (count: number, over = {}) => Array.from({ length: count }, () => ({ quantity: '1', taxes: [tax()], ...over }));
const coded: RuledIssuer = {
  ...{ country: 'AL', currency: 'ALL', authority: 'al-cis', tax_id: 'L12345678A', legal_name: 'Test', vat_registered: true },
  ...{ software_code: 'ss123ss123', units: [{ code: 'bb123bb123', devices: ['T1'] }], operators: [{ code: 'oo123oo123' }] },
  devices: [{ unit: 'bb123bb123', code: 'T1', authority_code: 'cc123cc123' }],
};
const issuers: Record<string, RuledIssuer> = {
  'al-cis': coded,
  'me-efi': { ...coded, country: 'ME', currency: 'EUR', authority: 'me-efi', tax_id: '02345678' },
  'es-verifactu': {
    country: 'ES',
    currency: 'EUR',
    authority: 'es-verifactu',
    tax_id: '89890001K',
    legal_name: 'Test',
    installation: 'A1',
  },
};
const rates: Record<string, string> = { 'al-cis': '20', 'me-efi': '21', 'es-verifactu': '21' };
const total = (text: string, ...others: string[]) => ({ amounts: { total: text, others } });
const till = { type: 'receipt' as const, payment_method: 'cash' };
const buyer = (customer_tax_id: string | null, over = {}) => ({ has_customer: true, customer_tax_id, ...over });
const french = (customer_tax_id: string, over = {}) => buyer(customer_tax_id, { customer_country: 'FR', ...over });
const day = { issue_date: '2026-03-01' };

const problemsOf = (authority: string, over: Partial<RuledDocument>) => {
  const issuer = issuers[authority] as RuledIssuer;
  const rate = rates[authority];
  const plain: RuledDocument = {
    ...{ type: 'standard', currency: issuer.currency ?? '', items: items({ rate }), discounts: [], charges: [], number_format: null },
    ...day,
  };
  return validate({ ...plain, ...over }, issuer);
};
const found = (authority: string, over: Partial<RuledDocument>): string[] =>
  problemsOf(authority, over).map(({ field, rule }) => `${field} ${rule}`);

test.each<[authority: string, code: number, what: string, Partial<RuledDocument>, refused: string]>([
  ['al-cis', 1, 'a message of more than 150 kB', { items: lines(1_000, { description: 'x'.repeat(80) }) }, 'items al-cis.size'],
  ['al-cis', 40, 'cash between taxpayers', { ...till, ...buyer('K72410014D'), ...total('150000.01') }, 'items al-cis.cash_limit'],
  ['al-cis', 11, 'negative groups', { takes_back: true }, 'items al-cis.signs'],
  ['al-cis', 11, 'an export to an unknown buyer', { items: items({ code: 'G', rate: '0' }) }, 'customer_id al-cis.buyer'],
  ['al-cis', 11, 'a reverse charge to an unknown buyer', { items: items({ code: 'AE', rate: '0' }) }, 'customer_id al-cis.buyer'],
  ['al-cis', 11, 'a method of another type of invoice', { payment_method: 'card' }, 'payment_method al-cis.payment'],
  ['al-cis', 11, 'a voucher without numbers', { ...till, payment_method: 'voucher' }, 'payment_method al-cis.payment'],
  ['al-cis', 11, 'a quantity that is too fine', { items: lines(1, { quantity: '0.0001' }) }, 'items.0.quantity al-cis.quantity'],
  ['al-cis', 11, 'a currency that is not in its list', { currency: 'VES', exchange_rate: '2' }, 'currency al-cis.currencies'],
  ['me-efi', 11, 'that of Albania', { currency: 'ALL', exchange_rate: '0.01' }, 'currency me-efi.currencies'],
  ['al-cis', 60, 'an issue of another day', { numbered_on: '2026-03-02' }, 'issue_date al-cis.days'],
  ['me-efi', 60, 'an issue of another year', { numbered_on: '2027-01-01' }, 'issue_date me-efi.days'],
  ['me-efi', 1, 'a message of more than 150 kB', { items: lines(1_000, { taxes: [tax({ rate: '21' })] }) }, 'items me-efi.size'],
  ['me-efi', 11, 'negative groups', { takes_back: true }, 'items me-efi.signs'],
  [
    'me-efi',
    11,
    'an export to a buyer without a number',
    { ...buyer(null), items: items({ code: 'G', rate: '0' }) },
    'customer_id me-efi.buyer',
  ],
  ['me-efi', 11, 'the same at a till', { ...till, ...buyer(null), items: items({ code: 'G', rate: '0' }) }, 'customer_id me-efi.buyer'],
  ['es-verifactu', 1267, 'a total of thirteen digits', total('1000000000000'), 'items es-verifactu.amounts'],
  ['es-verifactu', 1100, 'a base of thirteen digits', total('1', '-1000000000000'), 'items es-verifactu.amounts'],
  [
    'es-verifactu',
    1267,
    'the same once it is in euro',
    { currency: 'JPY', exchange_rate: '10', ...total('100000000000') },
    'items es-verifactu.amounts',
  ],
  [
    'es-verifactu',
    1142,
    'yen by the rate of the euro in yen',
    { currency: 'JPY', exchange_rate: '162.5', amounts: { total: '12', others: [], taxed: [{ rate: '21', base: '10', amount: '2' }] } },
    'exchange_rate es-verifactu.exchanged',
  ],
  ['es-verifactu', 1152, 'an issue before the first day', { issue_date: '2024-10-27' }, 'issue_date es-verifactu.days'],
  ['es-verifactu', 1146, 'a supply after the issue', { supply_date: '2026-03-02' }, 'supply_date es-verifactu.days'],
  ['es-verifactu', 1134, 'a supply of long ago', { supply_date: '2006-02-28' }, 'supply_date es-verifactu.days'],
  ['es-verifactu', 1194, 'a rate of 2024', { items: items({ rate: '5' }) }, 'items.0.taxes.0.rate es-verifactu.rates'],
  [
    'es-verifactu',
    1236,
    'another',
    { items: items({ rate: '7.5' }), supply_date: '2025-01-01' },
    'items.0.taxes.0.rate es-verifactu.rates',
  ],
  [
    'es-verifactu',
    1124,
    'a rate that never was',
    { items: items({ rate: '19' }), customer_country: 'DE' },
    'items.0.taxes.0.rate es-verifactu.taxes',
  ],
  ['es-verifactu', 1126, 'a Spanish number that is no NIF', buyer('X-1'), 'customer_id es-verifactu.identity'],
  ['es-verifactu', 1101, 'a number of Kosovo', buyer('810123456', { customer_country: 'XK' }), 'customer_id es-verifactu.identity'],
  ['es-verifactu', 1103, 'a malformed VAT number', french('FR12', { customer_tax_id_kind: 'vat' }), 'customer_id es-verifactu.identity'],
  ['es-verifactu', 1103, 'a number that is too long', french('X'.repeat(21)), 'customer_id es-verifactu.identity'],
  [
    'es-verifactu',
    1122,
    'a VAT number of another country',
    french('DE123456789', { customer_tax_id_kind: 'vat' }),
    'customer_id es-verifactu.identity',
  ],
  [
    'es-verifactu',
    1191,
    'R3 abroad',
    { type: 'credit_note', correction_code: 'R3', ...french('123') },
    'correction_code es-verifactu.identity',
  ],
  [
    'es-verifactu',
    1192,
    'R2 abroad',
    { type: 'credit_note', correction_code: 'R2', ...french('123') },
    'correction_code es-verifactu.identity',
  ],
  [
    'es-verifactu',
    1197,
    'a reverse charge at a till',
    { ...till, items: items({ code: 'AE', rate: '0' }) },
    'items.0.taxes.0.code es-verifactu.taxes',
  ],
  [
    'es-verifactu',
    1289,
    'E5 to a NIF',
    { ...buyer('B12345674'), items: items({ code: 'K', rate: '0' }) },
    'customer_id es-verifactu.intra_community',
  ],
  ['es-verifactu', 1111, 'a customer without a number', buyer(null), 'customer_id es-verifactu.customer'],
  [
    'es-verifactu',
    1162,
    'a surcharge of another rate',
    { items: items({ rate: '21', surcharge: '1.4' }) },
    'items.0.taxes.0.surcharge es-verifactu.taxes',
  ],
  ['es-verifactu', 1287, 'a number with <', { number_format: 'A<{seq}' }, 'series es-verifactu.number'],
])('%s %i: %s', (authority, _code, _what, over, refused) => expect(found(authority, over)).toEqual([refused]));

test.each<[authority: string, what: string, Partial<RuledDocument>]>([
  ['al-cis', 'an issue of the day it is numbered', { numbered_on: '2026-03-01' }],
  ['al-cis', 'cash of a private person', { ...till, ...buyer('I12345678A', { customer_country: 'IT' }), ...total('200000') }],
  ['al-cis', 'cash of whoever is at the till', { ...till, ...total('200000') }],
  ['al-cis', 'as much as taxpayers pay in cash', { ...till, ...buyer('K72410014D'), ...total('150000') }],
  ['al-cis', '500 lines', { items: lines(500, { description: 'x'.repeat(80) }) }],
  ['es-verifactu', 'a total of twelve digits', total('999999999999.99')],
  ['es-verifactu', 'a rate in its time', { items: items({ rate: '5' }), supply_date: '2024-09-30' }],
  ['es-verifactu', 'a passport of Spain', buyer('AAA123456', { customer_tax_id_kind: 'passport' })],
  ['es-verifactu', 'a VAT number of Greece', buyer('EL123456789', { customer_country: 'GR', customer_tax_id_kind: 'vat' })],
  [
    'es-verifactu',
    'R2 of a VAT number',
    { type: 'credit_note', correction_code: 'R2', ...french('FR12345678901', { customer_tax_id_kind: 'vat' }) },
  ],
])('%s takes %s', (authority, _what, over) => expect(found(authority, over)).toEqual([]));

const foreign = { customer_country: 'DE', items: items({ rate: '19' }) };
test.each<[authority: string, what: string, Partial<RuledDocument>, said: string]>([
  ['al-cis', 'an invoice that takes back', { takes_back: true }, 'issue a credit note'],
  ['me-efi', 'a receipt that takes back', { ...till, takes_back: true }, 'void the receipt'],
  ['es-verifactu', 'a rate that never was, today', foreign, 'is none of 21, 10, 4.'],
  ['es-verifactu', 'the same in a year of others', { ...foreign, supply_date: '2024-10-28' }, 'is none of 21, 10, 7.5, 4, 2.'],
])('%s says what is possible of %s', (authority, _what, over, said) => {
  expect(problemsOf(authority, over).map(({ message }) => message)).toEqual([expect.stringContaining(said)]);
});

test.each(Object.keys(issuers))('%s: amounts in another currency than its own would be sent as if they were in it', (authority) => {
  const issuer = { ...(issuers[authority] as RuledIssuer), currency: 'USD' };
  const of: RuledDocument = { type: 'standard', currency: 'USD', items: [], discounts: [], charges: [], number_format: null };
  expect(validate(of, issuer).map(({ field, rule }) => `${field} ${rule}`)).toEqual([`issuer.currency ${authority}.setup`]);
});

test.each([
  ['CH', 'CHE123456789', 'tax_id_kind other'],
  ['GB', 'GB123456789', 'tax_id_kind other'],
  ['GR', 'GR123456789', 'prefix EL'],
])('a number for VAT of %s: %s', (customer_country, number, next) => {
  const of = { type: 'standard' as const, currency: 'EUR', items: items({ rate: '21' }), discounts: [], charges: [], number_format: null };
  const found = validate({ ...of, ...buyer(number, { customer_country, customer_tax_id_kind: 'vat' }) }, issuers['es-verifactu']!);
  expect(found.find(({ field }) => field === 'customer_id')?.message).toContain(next);
});
