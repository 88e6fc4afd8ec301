import type { Issuer } from './issuer.ts';
import { fieldsOfIssuer, shownErrors } from './issuer-errors.ts';
import { changesOf, type IssuerValues, regimesOf, valuesOf } from './issuer-values.ts';

const issuer = (address: object | null, country: string | null): Issuer =>
  ({
    ...{ legal_name: 'Lagertha Ltd', trade_name: null, tax_id: null, country, currency: 'EUR', time_zone: 'Europe/Paris', language: 'fr' },
    ...{ default_tax_rate: '20', rounding: 'line', prices_include_tax: false, vat_registered: true },
    address: address && { line1: null, line2: null, postal_code: null, city: null, region: null, country: null, ...address },
  }) as unknown as Issuer;

const changes = (of: Issuer, to: Partial<IssuerValues>) => changesOf(valuesOf(of), { ...valuesOf(of), ...to });

test('a line of the address that is changed is sent alone', () => {
  const abroad = issuer({ line1: '1 Quay', city: 'Monaco', country: 'MC' }, 'FR');
  expect(changes(abroad, { line1: '2 Quay' })).toEqual({ address: { line1: '2 Quay' } });
  expect(changes(abroad, { trade_name: 'Boats' })).toEqual({ trade_name: 'Boats' });
});

test('the country of the address follows the one of the issuer while it is the same', () => {
  const here = issuer({ city: 'Paris', country: 'FR' }, 'FR');
  expect(changes(here, { country: 'BE' })).toEqual({ country: 'BE', address: { country: 'BE' } });
  const abroad = issuer({ city: 'Monaco', country: 'MC' }, 'FR');
  expect(changes(abroad, { country: 'BE' })).toEqual({ country: 'BE' });
});

test('a first address is in the country of the issuer; without a line there is none', () => {
  expect(changes(issuer(null, null), { country: 'FR' })).toEqual({ country: 'FR' });
  expect(changes(issuer(null, 'FR'), { city: 'Paris' })).toEqual({ address: { city: 'Paris', country: 'FR' } });
});

test('the scheme of VAT is sent when it is changed, and null for the general one', () => {
  const general = issuer(null, 'ES');
  expect(changes(general, { tax_regime: '20' })).toEqual({ tax_regime: '20' });
  expect(changes({ ...general, tax_regime: '20' } as Issuer, { tax_regime: '' })).toEqual({ tax_regime: null });
  expect(changes({ ...general, tax_regime: '20' } as Issuer, { trade_name: 'Boats' })).toEqual({ trade_name: 'Boats' });
});

test('the scheme that the issuer has is offered, also where it is none of the authority', () => {
  expect(regimesOf({ tax_regime: '18' })).toEqual(regimesOf({ tax_regime: null }));
  expect(regimesOf({ tax_regime: '10' })).toEqual([...regimesOf({ tax_regime: null }), '10']);
});

test('a message of the country of the address stands at the country, and not at the address', () => {
  expect(fieldsOfIssuer.find((name) => 'address.country'.startsWith(name))).toBe('address.country');
  expect(shownErrors({ country: 'x', 'address.country': 'x', 'address.city': 'y' })).toEqual({ country: 'x', city: 'y' });
  expect(shownErrors({ address: 'z', prices_include_tax: 'p' })).toEqual({ line1: 'z', prices: 'p' });
});
