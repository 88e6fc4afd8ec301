import type { RuledDocument, RuledIssuer } from './ruled.ts';
import { setupProblems, validate } from './validate.ts';

const tax = (over = {}) => ({ category: 'VAT', rate: '20', code: 'S' as const, retained: false, ...over });
const items = (...taxes: object[]) => [{ quantity: '1', taxes: taxes.map(tax) }];
const document = (over: Partial<RuledDocument>): RuledDocument => ({
  ...{ type: 'standard', currency: 'ALL', items: items({}), discounts: [], charges: [], number_format: null },
  ...over,
});
const albanian: RuledIssuer = {
  ...{ country: 'AL', currency: 'ALL', authority: 'al-cis', tax_id: 'L12345678A', legal_name: 'Test', vat_registered: true },
  ...{ software_code: 'ss123ss123', units: [{ code: 'bb123bb123', devices: ['T1'] }], operators: [{ code: 'oo123oo123' }] },
  devices: [{ unit: 'bb123bb123', code: 'T1', authority_code: 'cc123cc123' }],
};
const montenegrin: RuledIssuer = { ...albanian, country: 'ME', currency: 'EUR', authority: 'me-efi', tax_id: '02345678' };
const spanish: RuledIssuer = {
  ...{ country: 'ES', currency: 'EUR', authority: 'es-verifactu', tax_id: '89890001K', legal_name: 'Test', installation: 'A1' },
};
const found = (issuer: RuledIssuer, over: Partial<RuledDocument> = {}): string[] =>
  validate(document({ currency: issuer.currency ?? '', ...over }), issuer).map(({ field, rule }) => `${field} ${rule}`);

const till = { type: 'receipt' as const, unit: 'bb123bb123', device: 'T1', operator: 'oo123oo123', payment_method: 'cash' };

test('what the authority takes passes, and its demands are of its own issuers alone', () => {
  expect(found(albanian)).toEqual([]);
  expect(found(albanian, till)).toEqual([]);
  expect(found(montenegrin, { items: items({ rate: '21' }) })).toEqual([]);
  expect(found(montenegrin, { ...till, items: items({ rate: '21' }) })).toEqual([]);
  expect(found(spanish, { items: items({ rate: '21' }) })).toEqual([]);
  const elsewhere = { ...albanian, authority: 'sandbox', tax_id: 'X', software_code: null, units: [], operators: [] };
  expect(found(elsewhere)).toEqual([]);
});

test.each([
  ['tax_id', { tax_id: '12345678' }, 'issuer.tax_id al-cis.setup'],
  ['legal_name', { legal_name: null }, 'issuer.legal_name al-cis.setup'],
  ['software_code', { software_code: 'S1' }, 'issuer.software_code al-cis.setup'],
  ['units', { units: [{ code: 'HQ' }] }, 'issuer.units al-cis.setup'],
  ['operators', { operators: [] }, 'issuer.operators al-cis.setup'],
  ['country', { country: 'FR' }, 'issuer.country al-cis.setup'],
])('al-cis wants of the issuer: %s', (_what, over, problem) => expect(found({ ...albanian, ...over })).toEqual([problem]));

test.each<[string, Partial<RuledDocument>, string]>([
  ['a rate that takes back more than it sells', { takes_back: true }, 'items al-cis.signs'],
  ['an export without a customer', { ...till, items: items({ code: 'G', rate: '0' }) }, 'customer_id al-cis.buyer'],
  ['a quantity of four decimals', { items: [{ quantity: '1.0001', taxes: [tax()] }] }, 'items.0.quantity al-cis.quantity'],
  ['a surcharge', { items: items({ surcharge: '5.2' }) }, 'items.0.taxes.0.surcharge al-cis.taxes'],
  ['a tax that is no VAT', { items: items({ category: 'ENV' }) }, 'items.0.taxes.0 al-cis.taxes'],
  ['a rate of another country', { items: items({ rate: '19' }), customer_country: 'DE' }, 'items.0.taxes.0.rate al-cis.taxes'],
  ['an intra-community supply', { items: items({ code: 'K', rate: '0' }) }, 'items.0.taxes.0.code al-cis.taxes'],
  ['an invoice that is paid in cash', { payment_method: 'cash' }, 'payment_method al-cis.payment'],
  ['a receipt that is paid by transfer', { ...till, payment_method: 'transfer' }, 'payment_method al-cis.payment'],
  ['a guessed reason of lateness', { late_reason: 'paper book' }, 'late_reason al-cis.late_reason'],
  [
    'a voucher',
    { ...till, payment_method: null, payments: [{ method: 'cash' }, { method: 'voucher' }] },
    'payments.1.method al-cis.payment',
  ],
])('al-cis does not take %s', (_what, over, problem) => expect(found(albanian, over)).toEqual([problem]));

test('al-cis wants to know which exemption it is, and the reverse charge of the whole invoice', () => {
  const exempt = (exemption_code?: string) => items({ code: 'E', rate: '0', exemption_reason: 'article 51', exemption_code });
  expect(found(albanian, { items: exempt() })).toEqual(['items.0.taxes.0.exemption_code al-cis.taxes']);
  expect(found(albanian, { items: exempt('TYPE_1') })).toEqual([]);
  const customer = { has_customer: true };
  expect(found(albanian, { ...customer, items: items({ code: 'AE', rate: '0' }) })).toEqual([]);
  expect(found(albanian, { ...customer, items: [...items({ code: 'AE', rate: '0' }), ...items({})] })).toEqual([
    'items.1.taxes.0.code al-cis.taxes',
  ]);
});

test('al-cis: who is not registered for VAT charges none', () => {
  expect(found({ ...albanian, vat_registered: false })).toEqual(['items.0.taxes.0 al-cis.taxes']);
  expect(found({ ...albanian, vat_registered: false }, { items: [{ taxes: [] }] })).toEqual([]);
});

test.each<[string, Partial<RuledIssuer>, Partial<RuledDocument>, string]>([
  ['an issuer without a NIF', { tax_id: '1' }, {}, 'issuer.tax_id es-verifactu.setup'],
  ['an issuer without an installation', { installation: null }, {}, 'issuer.installation es-verifactu.setup'],
  ['a regime of single operations', { tax_regime: '10' }, {}, 'issuer.tax_regime es-verifactu.setup'],
  ['a customer without a tax id', {}, { has_customer: true, customer_tax_id: null }, 'customer_id es-verifactu.customer'],
  ['a surcharge of another rate', {}, { items: items({ rate: '21', surcharge: '1.4' }) }, 'items.0.taxes.0.surcharge es-verifactu.taxes'],
  ['a rate of another country', {}, { items: items({ rate: '19' }), customer_country: 'DE' }, 'items.0.taxes.0.rate es-verifactu.taxes'],
  [
    'an intra-community supply to a Spanish number',
    {},
    { items: items({ code: 'K', rate: '0' }), has_customer: true, customer_tax_id: 'ES-B12345674', customer_country: 'ES' },
    'customer_id es-verifactu.intra_community',
  ],
  ['a kind of correction of what corrects nothing', {}, { correction_code: 'R1' }, 'correction_code es-verifactu.correction_code'],
  ['numbers beyond ASCII', {}, { number_format: 'Ñ-{seq}' }, 'series es-verifactu.number'],
  ['numbers with =', {}, { number_format: 'A={seq}' }, 'series es-verifactu.number'],
  [
    'an exemption without its article',
    {},
    { items: items({ code: 'E', rate: '0', exemption_reason: 'x' }) },
    'items.0.taxes.0.exemption_code es-verifactu.taxes',
  ],
])('es-verifactu does not take %s', (_what, issuer, over, problem) => {
  expect(found({ ...spanish, ...issuer }, { items: items({ rate: '21' }), ...over })).toEqual([problem]);
});

describe('a till without a code of the authority', () => {
  const uncoded = { devices: [{ unit: 'bb123bb123', code: 'T1', authority_code: null }] };

  test.each([
    ['al-cis', albanian, { receipt: ['issuer.devices al-cis.setup'], standard: [] }],
    ['me-efi', montenegrin, { receipt: ['issuer.devices me-efi.setup'], standard: ['issuer.devices me-efi.setup'] }],
  ])('of %s refuses the documents that name it', (_authority, issuer, problems) => {
    const of = (over: Partial<RuledDocument>) => found({ ...issuer, ...uncoded }, { ...over, items: items({ code: 'Z', rate: '0' }) });
    expect({ receipt: of(till), standard: of({}) }).toEqual(problems);
  });

  test('stands in what is missing of the issuer, also where there is no till and every document names one', () => {
    const fields = (issuer: RuledIssuer) => setupProblems(issuer).map(({ field }) => field);
    expect(fields({ ...albanian, ...uncoded })).toEqual(['devices']);
    expect(fields({ ...montenegrin, units: [{ code: 'bb123bb123' }] })).toEqual(['devices']);
    expect(fields({ ...albanian, units: [{ code: 'bb123bb123' }] })).toEqual([]);
    expect(fields(albanian)).toEqual([]);
  });
});

test('me-efi: an export names a customer by its number; what corrects may take back', () => {
  const exported = items({ code: 'G', rate: '0' });
  const problem = ['customer_id me-efi.buyer'];
  expect(found(montenegrin, { items: exported, has_customer: true, customer_tax_id: null })).toEqual(problem);
  expect(found(montenegrin, { items: exported, has_customer: true, customer_tax_id: '02345678' })).toEqual([]);
  expect(found(montenegrin, { ...till, items: exported, has_customer: true })).toEqual(problem);
  expect(found(montenegrin, { ...till, items: exported, has_customer: true, customer_tax_id: '02345678' })).toEqual([]);
  expect(found(montenegrin, { type: 'credit_note', items: items({ rate: '21' }), takes_back: true })).toEqual([]);
});

test('me-efi has no reverse charge, and takes all methods of payment', () => {
  const reverse = items({ code: 'AE', rate: '0' });
  expect(found(montenegrin, { items: reverse })).toEqual(['items.0.taxes.0.code me-efi.taxes']);
  expect(found(montenegrin, { ...till, payment_method: 'voucher', items: items({ rate: '7' }) })).toEqual([]);
  expect(found(montenegrin, { payment_method: 'cash', items: items({ rate: '7' }) })).toEqual([]);
});

test('formats of numbers are those of the authority', () => {
  const of = (number_format: string) => found(montenegrin, { items: items({ rate: '7' }), number_format });
  expect(of('{unit}/{seq}/{year}/{device}')).toEqual([]);
  expect(of('{seq}/{year}')).toEqual(['series me.number_format']);
});

test('a message names the document of the authority', () => {
  const [problem] = validate(document({}), { ...albanian, tax_id: null });
  expect(problem?.message).toContain('Technical Specification v07');
});
