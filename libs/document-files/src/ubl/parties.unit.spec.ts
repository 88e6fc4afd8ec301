import { buyerOf, documentOf, line, sellerOf, vat, type Given } from './testing/documents.ts';
import { at, list, parsed, type Parsed } from './testing/parsed.ts';
import { ublOf } from './ubl.ts';

const made = (given: Given): Parsed => parsed(ublOf(documentOf(given), null).xml);
const missing = (given: Given): string[] => ublOf(documentOf(given), null).missing.map(({ rule, field }) => `${rule} ${field}`);

describe('tax numbers of the parties', () => {
  const schemes = (party: Parsed['seller']): unknown[] =>
    list(party, 'PartyTaxScheme').map((one) => [at(one, 'CompanyID'), at(one, 'TaxScheme/ID')]);

  test.each([
    ['MC', 'FR40000066034'],
    ['US', '12-3456789'],
    ['CH', 'CHE-100.155.212'],
    ['HU', '12892312-2-41'],
  ])('the tax number of a buyer in %s, %s, stands once: as a VAT identifier or as the number of a legal entity', (country, taxId) => {
    const { buyer } = made({ customer: buyerOf(taxId, country) });
    const isVat = country === 'MC';
    expect(schemes(buyer)).toEqual(isVat ? [[taxId, 'VAT']] : []);
    expect(at(buyer, 'PartyLegalEntity/CompanyID')).toBe(isVat ? undefined : taxId);
  });

  test('the tax number of a seller that is no VAT identifier is a tax registration (BT-32) and the number of a legal entity (BT-30)', () => {
    const { seller } = made({ issuer: sellerOf('02655284', 'ME') });
    expect(schemes(seller)).toEqual([['02655284', 'TAX']]);
    expect(at(seller, 'PartyLegalEntity/CompanyID')).toBe('02655284');
  });

  test('a seller without VAT registration has a tax number that is no VAT identifier', () => {
    const document = documentOf();
    const { seller } = made({ issuer: { ...document.issuer!, vat_registered: false } });
    expect(list(seller, 'PartyTaxScheme').map((one) => [at(one, 'CompanyID'), at(one, 'TaxScheme/ID')])).toEqual([['B58378431', 'TAX']]);
    expect(at(seller, 'PartyLegalEntity/CompanyID')).toBe('B58378431');
  });

  test('a German VAT identifier of a Swiss buyer stands beside its UID, and an intra-community supply has what it asks for', () => {
    const swiss = buyerOf('CHE-100.155.212', 'CH');
    const tax_ids = [
      { country: 'DE', value: '123/456/7890', kind: 'national' as const },
      { country: 'DE', value: '136695976', kind: 'vat' as const },
    ];
    const given: Given = { customer: { ...swiss, tax_ids }, supply_date: '2026-11-19', items: [line(5, [vat(0, { code: 'K' })])] };
    const { buyer } = made(given);
    expect(schemes(buyer)).toEqual([['DE136695976', 'VAT']]);
    expect(at(buyer, 'PartyLegalEntity/CompanyID')).toBe('CHE-100.155.212');
    expect(missing(given)).toEqual([]);
    expect(missing({ ...given, customer: { ...swiss, tax_ids: tax_ids.slice(0, 1) } })).toEqual(['BR-IC-02 customer.tax_id']);
    expect(schemes(made({ ...given, items: [line(5, [vat(0, { code: 'O' })])] }).buyer)).toEqual([]);
    expect(schemes(made({ customer: { ...buyerOf('FR40303265045', 'GP'), tax_ids } }).buyer)).toEqual([['FR40303265045', 'VAT']]);
  });

  test('a VAT identifier is asked for where the number is none', () => {
    const parties = { issuer: sellerOf('02655284', 'ME'), customer: buyerOf('CHE-100.155.212', 'CH') };
    const of = (code: 'AE' | 'K' | 'G'): string[] =>
      missing({ ...parties, supply_date: '2026-11-19', items: [line(5, [vat(0, { code })])] });
    expect(of('K')).toEqual(['BR-IC-02 issuer.tax_id', 'BR-IC-02 customer.tax_id']);
    expect(of('G')).toEqual(['BR-G-02 issuer.tax_id']);
    expect(of('AE')).toEqual([]);
  });
});
