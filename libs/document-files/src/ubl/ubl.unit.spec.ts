import type { TaxInput } from '@svc/contracts/tax';
import { decimal, DomainError, jsonNumber } from '@svc/kernel';
import fc from 'fast-check';
import { documentOf, documents, isTaken, line, preceding, vat, type Given } from './testing/documents.ts';
import { amountAt, at, list, parsed, type Parsed } from './testing/parsed.ts';
import { rules } from './testing/rules.ts';
import { ublOf, type UblInvoice } from './ubl.ts';

const ubl = (document: UblInvoice): Parsed => parsed(ublOf(document, document.corrects ? preceding : null).xml);
const made = (given: Given = {}): Parsed => ubl(documentOf(given));

const files = Object.entries(documents).map(([name, document]) => [name, ubl(document)] as const);

describe('rules of EN 16931', () => {
  test.each(rules)('$id holds for documents of every shape', ({ check }) => {
    const checked = files.map(([name, document]) => [name, check(document)] as const);
    expect(checked.filter(([, results]) => results.includes(false)).map(([name]) => name)).toEqual([]);
    expect(checked.flatMap(([, results]) => results).length).toBeGreaterThan(0);
  });

  test('documents of every shape lack nothing', () => {
    for (const document of Object.values(documents)) expect(ublOf(document, document.corrects ? preceding : null).missing).toEqual([]);
  });

  const cents = fc.integer({ min: 0, max: 100_000 }).map((units) => units / 100);
  const taxes = fc.constantFrom<TaxInput[]>([vat(21)], [vat(10)], [vat(0)], [vat(21), vat(15, { category: 'IRPF', retained: true })]);
  const adjustment = fc.oneof(
    fc.integer({ min: 1, max: 30 }).map((percent) => ({ percent })),
    cents.map((amount) => ({ amount })),
    fc.tuple(cents, fc.constantFrom<TaxInput[]>([vat(21)], [vat(10)])).map(([amount, of]) => ({ amount, taxes: of })),
  );
  const items = fc.array(
    fc
      .tuple(
        fc.integer({ min: 1, max: 99_999 }),
        fc.constantFrom(-2, 0.5, 1, 3, 7.25),
        taxes,
        fc.array(fc.constant({ percent: 7 }), { maxLength: 1 }),
      )
      .map(([price, quantity, of, discounts]) => line(price / 1000, of, { quantity, discounts })),
    { minLength: 1, maxLength: 12 },
  );
  const any = fc.record({
    type: fc.constantFrom<UblInvoice['type']>('corrective', 'credit_note'),
    corrects: fc.constant('inv_0'),
    prices_include_tax: fc.boolean(),
    items,
    discounts: fc.array(adjustment, { maxLength: 3 }),
    charges: fc.array(adjustment, { maxLength: 3 }),
  });
  const given = any.filter(isTaken); // no discount exceeds what it discounts
  const violated = (document: Parsed): string[] => rules.filter(({ check }) => check(document).includes(false)).map(({ id }) => id);

  test('hold for any document with rounded lines', () => {
    fc.assert(fc.property(given, (any) => expect(violated(made(any))).toEqual([])));
  });

  test('hold for the corrective of a void, which has the amounts of its original with the other sign', () => {
    const amounts = (document: UblInvoice): number[] =>
      [...ublOf(document, preceding).xml.matchAll(/currencyID="EUR">(-?[\d.]+)</g)].map(([, amount]) => Number(amount));
    fc.assert(
      fc.property(given, (any) => {
        const [original, reversal] = [
          documentOf({ ...any, type: 'corrective' }),
          documentOf({ ...any, type: 'corrective', voids: 'inv_0' }),
        ];
        expect(violated(ubl(reversal))).toEqual([]);
        expect(amounts(reversal).map(Math.abs)).toEqual(amounts(original).map(Math.abs));
        const payable = (document: UblInvoice): string =>
          /PayableAmount currencyID="EUR">(.*?)</.exec(ublOf(document, preceding).xml)?.[1] ?? '';
        expect(Number(payable(reversal))).toBeCloseTo(-Number(payable(original)), 2);
      }),
    );
  });

  test('hold for any document with precise rounding that is not rejected', () => {
    let held = 0;
    fc.assert(
      fc.property(given.map((one) => ({ ...one, rounding: 'precise' as const })).filter(isTaken), (any) => {
        const document = documentOf(any);
        try {
          expect(violated(ubl(document))).toEqual([]);
          held += 1;
        } catch (error) {
          expect(error).toMatchObject({ code: 'not_representable', details: { rounding: [expect.stringContaining('use rounding line')] } });
        }
      }),
    );
    expect(held).toBeGreaterThan(0);
  });
});

describe('mapping', () => {
  test.each([
    ['standard', 'Invoice', '380'],
    ['corrective', 'Invoice', '384'],
    ['credit note', 'CreditNote', '381'],
  ])('%s: %s with type code %s', (name, root, code) => {
    const document = ubl(documents[name]!);
    expect(document.root).toBe(root);
    expect(at(document.document, `${root}TypeCode`)).toBe(code);
  });

  test('a credit note names its invoice and its quantities as credited', () => {
    const { document, lines, totals } = ubl(documents['credit note']!);
    expect(at(document, 'BillingReference/0/InvoiceDocumentReference/ID')).toBe('INV-2026-000003');
    expect(at(document, 'BillingReference/0/InvoiceDocumentReference/IssueDate')).toBe('2026-11-02');
    expect(at(document, 'DueDate')).toBeUndefined();
    expect(lines.map((one) => at(one, 'CreditedQuantity'))).toEqual(['1']);
    expect(at(totals, 'PayableAmount')).toBe('42.35');
  });

  test('payment terms stand where there is no due date, and only there', () => {
    const terms = (given: Given): string | undefined => at(made(given).document, 'PaymentTerms/Note');
    expect(terms({ due_date: null })).toBe('Payable on receipt.');
    expect(terms({})).toBeUndefined();
  });

  test('the day of issue is that of the issuer’s time zone where the document has none', () => {
    expect(at(made({ issue_date: null }).document, 'IssueDate')).toBe('2026-11-21');
  });

  test('a retention is told in the payment terms and lowers no amount', () => {
    const { document, totals, subtotals } = ubl(documents['retention']!);
    expect(at(document, 'PaymentTerms/Note')).toBe(
      'The customer withholds IRPF 15 % of 1000.00: 150.00 EUR. To pay after retention: 1120.50 EUR.',
    );
    expect(at(totals, 'PayableAmount')).toBe('1270.50');
    expect(subtotals).toHaveLength(1);
  });

  test('what is paid lowers the amount due', () => {
    const { totals } = ubl(documents['standard']!);
    expect(at(totals, 'PrepaidAmount')).toBe('20.25');
    expect(amountAt(totals, 'PayableAmount').eq(amountAt(totals, 'TaxInclusiveAmount').minus('20.25'))).toBe(true);
  });

  test('a surcharge is one VAT category with its tax', () => {
    const { lines, subtotals } = ubl(documents['surcharge']!);
    expect(subtotals.map((one) => [at(one, 'TaxCategory/Percent'), at(one, 'TaxableAmount'), at(one, 'TaxAmount')])).toEqual([
      ['26.2', '100.00', '26.20'],
      ['11.4', '50.00', '5.70'],
      ['21', '30.00', '6.30'],
    ]);
    expect(lines.map((one) => at(one, 'Item/ClassifiedTaxCategory/Percent'))).toEqual(['26.2', '11.4', '21']);
  });

  test('amounts of inclusive prices are without tax', () => {
    const { allowances, lines, totals } = made({
      prices_include_tax: true,
      items: [line(121, [vat(21)], { quantity: 2, discounts: [{ amount: 12.1, reason: 'Loyalty' }] })],
      discounts: [{ amount: 24.2, reason: 'Voucher' }],
    });
    expect(allowances.map((one) => [at(one, 'Amount'), at(one, 'AllowanceChargeReason')])).toEqual([['20.00', 'Voucher']]);
    expect(lines.map((one) => [at(one, 'LineExtensionAmount'), at(one, 'Price/PriceAmount')])).toEqual([['190.00', '100']]);
    expect(list(lines[0], 'AllowanceCharge').map((one) => [at(one, 'Amount'), at(one, 'AllowanceChargeReason')])).toEqual([
      ['10.00', 'Loyalty'],
    ]);
    expect(at(totals, 'AllowanceTotalAmount')).toBe('20.00');
    expect(at(totals, 'TaxExclusiveAmount')).toBe('170.00');
  });

  test('inclusive prices do not include a surcharge', () => {
    const items = [line(121, [vat(21, { surcharge: 5.2 })], { discounts: [{ amount: 12.1 }] })];
    const { lines, totals } = made({ prices_include_tax: true, items });
    expect(at(lines[0], 'Price/PriceAmount')).toBe('100');
    expect([at(totals, 'TaxExclusiveAmount'), at(totals, 'TaxInclusiveAmount')]).toEqual(['90.00', '113.58']);
  });

  test('a price is not below 0 where a charge is rounded up and its line down', () => {
    const items = [line(0, [vat(21)], { charges: [{ amount: 0.02 }] }), line(0.01), line(0.01)];
    const { lines } = made({ prices_include_tax: true, items });
    expect(at(lines[0], 'LineExtensionAmount')).toBe('0.01');
    expect(at(lines[0], 'AllowanceCharge/0/Amount')).toBe('0.02');
    expect(at(lines[0], 'Price/PriceAmount')).toBe('0');
  });

  test('a discount with taxes lowers its VAT category alone, and names its reason there alone', () => {
    const { allowances } = made({
      items: [line(100), line(50, [vat(10)])],
      discounts: [
        { amount: 10, reason: 'Voucher', taxes: [vat(10)] },
        { percent: 10, reason: 'Loyalty' },
      ],
    });
    expect(allowances.map((one) => [at(one, 'TaxCategory/Percent'), at(one, 'Amount'), at(one, 'AllowanceChargeReason')])).toEqual([
      ['21', '10.00', 'Loyalty'],
      ['10', '15.00', 'Voucher; Loyalty'],
    ]);
  });

  test('a discount of nothing makes no VAT category', () => {
    const { subtotals } = made({ discounts: [{ percent: 0, taxes: [vat(0)] }] });
    expect(subtotals.map((one) => at(one, 'TaxCategory/ID'))).toEqual(['S']);
  });

  test.each([
    ['AE', 'VATEX-EU-AE', 'Reverse charge'],
    ['K', 'VATEX-EU-IC', 'Intra-community supply'],
    ['G', 'VATEX-EU-G', 'Export outside the EU'],
    ['O', 'VATEX-EU-O', 'Not subject to VAT'],
  ] as const)('%s has a reason of its own where none is given', (code, reasonCode, reason) => {
    const { subtotals } = made({ supply_date: '2026-11-19', items: [line(5, [vat(0, { code })])] });
    expect(at(subtotals[0], 'TaxCategory/TaxExemptionReasonCode')).toBe(reasonCode);
    expect(at(subtotals[0], 'TaxCategory/TaxExemptionReason')).toBe(reason);
    const given = made({ supply_date: '2026-11-19', items: [line(5, [vat(0, { code, exemption_reason: 'Article 25' })])] });
    expect(at(given.subtotals[0], 'TaxCategory/TaxExemptionReason')).toBe('Article 25');
  });

  test('what is taxed has no reason of an exemption', () => {
    const { subtotals } = made({ items: [line(5, [vat(21, { exemption_reason: 'Article 25' })])] });
    expect(at(subtotals[0], 'TaxCategory/TaxExemptionReason')).toBeUndefined();
  });

  test('exemptions of one code are one VAT category with every reason once', () => {
    const because = (exemption_reason: string) => vat(0, { code: 'E', exemption_reason });
    const { subtotals } = made({ items: [line(5, [because('A')]), line(6, [because('B')]), line(7, [because('A')])] });
    expect(subtotals.map((one) => [at(one, 'TaxableAmount'), at(one, 'TaxCategory/TaxExemptionReason')])).toEqual([['18.00', 'A; B']]);
  });

  test('an intra-community supply states its day and the country of delivery', () => {
    const { document } = ubl(documents['every code']!);
    expect(at(document, 'Delivery/ActualDeliveryDate')).toBe('2026-11-18');
    expect(at(document, 'Delivery/DeliveryLocation/Address/Country/IdentificationCode')).toBe('GR');
  });

  test('tax is shown in the issuer’s currency too where the rate is known', () => {
    const { document, taxTotal, accountingTaxTotal } = ubl(documents['foreign currency']!);
    expect(at(document, 'TaxCurrencyCode')).toBe('EUR');
    expect([at(taxTotal, 'TaxAmount'), at(accountingTaxTotal, 'TaxAmount')]).toEqual(['21.00', '19.16']);
    expect(accountingTaxTotal?.['TaxAmount']?.['@currencyID']).toBe('EUR');
    for (const given of [{ currency: 'USD' }, { exchange_rate: 1 }]) {
      const without = made(given);
      expect(at(without.document, 'TaxCurrencyCode')).toBeUndefined();
      expect(without.accountingTaxTotal).toBeUndefined();
    }
  });

  test('amounts beyond what a double holds are exact', () => {
    const { totals } = made({ items: [line(0, [vat(0)], { unit_price: '99999999999999.99' }), line(0.01, [vat(0)], { quantity: 3 })] });
    expect(at(totals, 'PayableAmount')).toBe('100000000000000.02');
  });

  test('text is escaped, and what XML cannot hold is replaced', () => {
    const { xml } = ublOf({ ...documentOf(), notes: '<a> & "b"\uFFFF' }, null);
    expect(xml).toContain('<cbc:Note>&lt;a&gt; &amp; &quot;b&quot;\uFFFD</cbc:Note>');
    expect(at(parsed(xml).document, 'Note')).toBe('<a> & "b"\uFFFD');
  });

  test('a note keeps its line breaks; a line of several has them in its description, and none in its name', () => {
    const { document, lines } = ubl({ ...documentOf({ items: [line(1), line(2)] }), notes: 'Pay to\nIBAN AL47\n\nThank you' });
    expect(at(document, 'Note')).toBe('Pay to\nIBAN AL47\n\nThank you');
    const described = documentOf();
    const [first] = described.items;
    const [one] = ubl({ ...described, items: [{ ...first!, description: 'Chair\nblue' }] }).lines;
    expect([at(one, 'Item/Name'), at(one, 'Item/Description')]).toEqual(['Chair blue', 'Chair\nblue']);
    expect(Object.keys(one!['Item']!)).toEqual(['Description', 'Name', 'ClassifiedTaxCategory']);
    expect(Object.keys(lines[0]!['Item']!)).toEqual(['Name', 'ClassifiedTaxCategory']);
  });

  test.each([
    ['Lots #12,#13', '#AAI#Lots #12,#13'],
    ['#ABC#text', '#AAI##ABC#text'],
    ['Order #4711, lot #3', 'Order #4711, lot #3'],
    ['# 1', '# 1'],
  ])('a note is not read as one with a subject code (BR-CL-08): %s', (notes, note) => {
    expect(at(ubl({ ...documentOf(), notes }).document, 'Note')).toBe(note);
  });

  test.each([
    [
      'every code',
      'CustomizationID ID IssueDate DueDate InvoiceTypeCode Note DocumentCurrencyCode AccountingSupplierParty AccountingCustomerParty Delivery AllowanceCharge TaxTotal LegalMonetaryTotal InvoiceLine',
    ],
    [
      'credit note',
      'CustomizationID ID IssueDate CreditNoteTypeCode Note DocumentCurrencyCode BillingReference AccountingSupplierParty AccountingCustomerParty PaymentTerms AllowanceCharge TaxTotal LegalMonetaryTotal CreditNoteLine',
    ],
  ])('elements of %s are in the order of the schema', (name, order) => {
    const elements = Object.keys(ubl(documents[name]!).document).filter((each) => !each.startsWith('@'));
    expect(elements).toEqual(order.split(' '));
  });

  test('the same document gives the same text', () => {
    expect(ublOf(documents['every code']!, null)).toEqual(ublOf(structuredClone(documents['every code']!), null));
  });
});

describe('missing master data', () => {
  const missing = (given: Given): string[] => ublOf(documentOf(given), null).missing.map(({ rule, field }) => `${rule} ${field}`);

  test('is told, and the document is made all the same', () => {
    const { issuer } = documentOf();
    const bare = { ...issuer!, legal_name: null, trade_name: null, tax_id: null, address: null, country: null };
    const document = documentOf({ customer: null, issuer: bare, corrects: 'inv_0', type: 'corrective' });
    const { xml, missing } = ublOf(document, null);
    expect(at(parsed(xml).totals, 'PayableAmount')).toBe('121.00');
    expect(missing.map(({ rule }) => rule)).toEqual(['BR-06', 'BR-07', 'BR-09', 'BR-11', 'BR-CO-26', 'BR-S-02', 'BR-55']);
  });

  test('an exemption without a reason names the tax', () => {
    const items = [line(5, [vat(15, { category: 'IRPF', retained: true }), vat(0, { code: 'E' })])];
    expect(missing({ items })).toEqual(['BR-E-10 items.0.taxes.1.exemption_reason']);
  });

  test('reverse charge, intra-community supply and export name what they ask of the parties', () => {
    const { issuer, customer } = documentOf();
    const parties = { issuer: { ...issuer!, vat_registered: false }, customer: { ...customer!, tax_id: null } };
    const of = (code: 'AE' | 'K' | 'G'): string[] =>
      missing({ ...parties, supply_date: '2026-11-19', items: [line(5, [vat(0, { code })])] });
    expect(of('AE')).toEqual(['BR-AE-02 customer.tax_id']);
    expect(of('K')).toEqual(['BR-IC-02 issuer.vat_registered', 'BR-IC-02 customer.tax_id']);
    expect(of('G')).toEqual(['BR-G-02 issuer.vat_registered']);
  });

  test('a country without a code of ISO 3166-1 is named', () => {
    const { issuer, customer } = documentOf();
    const address = { ...customer!.address!, country: 'XK' };
    expect(missing({ customer: { ...customer!, address } })).toEqual(['BR-CL-14 customer.address.country']);
    expect(missing({ issuer: { ...issuer!, address } })).toEqual(['BR-CL-14 issuer.address.country']);
  });

  test('a line without a description is named', () => {
    expect(missing({ items: [line(5), line(6, [vat(21)], { description: null })] })).toEqual(['BR-25 items.1.description']);
  });
});

describe('rejected', () => {
  const rejection = (document: UblInvoice): unknown => {
    try {
      return ublOf(document, null);
    } catch (error) {
      return error instanceof DomainError && [error.code, ...Object.keys(error.details ?? {})];
    }
  };

  test('a draft is invalid_state', () => {
    expect(rejection({ ...documentOf(), number: null, issuer: null, customer: null, status: 'draft' })).toEqual(['invalid_state']);
  });

  test.each<[string, string, Given]>([
    ['more than two decimals', 'currency', { currency: 'KWD', items: [line(1.005, [vat(0)])] }],
    ['a tax other than VAT', 'items.0.taxes.1.category', { items: [line(1, [vat(21), vat(1, { category: 'ECO' })])] }],
    ['IGIC', 'items.0.taxes.0.category', { items: [line(1, [vat(7, { category: 'IGIC' })])] }],
    ['IPSI', 'items.0.taxes.0.category', { items: [line(1, [vat(4, { category: 'IPSI' })])] }],
    ['another tax on a document charge', 'charges.0.taxes.0.category', { charges: [{ amount: 1, taxes: [vat(7, { category: 'IGIC' })] }] }],
    ['VAT that is withheld', 'items.0.taxes.0.retained', { items: [line(1, [vat(21, { retained: true })])] }],
    ['an intra-community supply without its day', 'supply_date', { items: [line(1, [vat(0, { code: 'K' })])] }],
    ['O beside another code', 'items', { items: [line(1), line(1, [vat(0, { code: 'O' })])] }],
    ['no tax beside others', 'items', { items: [line(1), line(1, [])] }],
    ['a surcharge on a code other than S', 'items.0.taxes.0.surcharge', { items: [line(1, [vat(0, { surcharge: 5 })])] }],
    ['a surcharge that is rounded separately', 'tax_breakdown', { items: [line(0.12, [vat(21, { surcharge: 5.2 })])] }],
    ['precise lines that do not add up', 'rounding', { rounding: 'precise', items: [line(0.333), line(0.333), line(0.333)] }],
    ['a precise discount that is less than a cent', 'rounding', { rounding: 'precise', items: [line(10)], discounts: [{ percent: 0.05 }] }],
    ['precise tax on a base of less than a cent', 'rounding', { rounding: 'precise', items: [line(10), line(0.004, [vat(50_000)])] }],
    [
      'precise groups that do not add up',
      'rounding',
      { rounding: 'precise', items: [line(0.004), line(0.004, [vat(10)]), line(0.004, [vat(4)])] },
    ],
  ])('%s is not_representable', (_, field, given) => {
    expect(rejection(documentOf(given))).toEqual(['not_representable', field]);
  });

  test('totals that are not those of the lines are not_representable', () => {
    expect(rejection({ ...documentOf(), subtotal: jsonNumber('99.99') })).toEqual(['not_representable', 'tax_breakdown']);
  });

  test.each<[string, Given]>([
    ['whole amounts of a currency with three decimals', { currency: 'KWD', items: [line(1.25, [vat(0)])] }],
    ['precise lines that add up', { rounding: 'precise', items: [line(0.333, [vat(21)], { quantity: 100 })] }],
    ['a document without any tax', { items: [line(1, [])] }],
    ['a surcharge that adds up', { items: [line(10, [vat(21, { surcharge: 5.2 })])] }],
  ])('%s: representable', (_, given) => {
    expect(rejection(documentOf(given))).toHaveProperty('xml');
    expect(decimal(at(made(given).totals, 'PayableAmount') ?? '0').cmp('0')).toBe(1);
  });
});
