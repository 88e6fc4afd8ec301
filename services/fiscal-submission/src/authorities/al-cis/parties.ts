import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { iso31661Alpha2ToAlpha3 } from 'iso-3166';
import { element, type Element } from '../../xml/element.ts';
import { upTo } from './ascii.ts';
import type { Dialect } from './dialect.ts';

type Customer = NonNullable<RegistrationRequested['customer']>;

const alpha3 = (country: string | null | undefined): string | undefined => (country ? iso31661Alpha2ToAlpha3[country] : undefined);
const placeOf = (address: Customer['address']) => ({
  Address: upTo(200, [address?.line1, address?.line2].filter(Boolean).join(', ')),
  Town: upTo(100, address?.city),
});

export const sellerOf = ({ tax_id, legal_name, address, country }: RegistrationRequested['issuer'], { taxId }: Dialect): Element =>
  element('Seller', {
    ...{ IDType: taxId.type, IDNum: tax_id ?? '', Name: upTo(100, legal_name), ...placeOf(address) },
    Country: alpha3(address?.country ?? country),
  });

/** Of a receipt without a customer there is none. */
export function buyerOf(customer: Customer | null, dialect: Dialect): Element | null {
  if (!customer) return null;
  const id = idOf(customer, dialect);
  if (dialect.namedBuyer && !(id && upTo(100, customer.name))) return null;
  return element('Buyer', {
    ...{ IDType: id?.type, IDNum: id?.number, Name: upTo(100, customer.name), ...placeOf(customer.address) },
    Country: alpha3(customer.address?.country),
  });
}

const types: Record<string, string> = { vat: 'VAT', national: 'ID', passport: 'PASS', other: 'TAX' };

/** `tax_id` before the further numbers. One of the country in the form of its own numbers is one of these. */
function idOf(
  { tax_id, tax_id_kind, kind: who, tax_ids = [], address }: Customer,
  dialect: Dialect,
): { type: string; number: string } | undefined {
  const { type, pattern } = dialect.taxId;
  const country = address?.country ?? dialect.country;
  const [value, of, kind] = tax_id
    ? [tax_id, country, tax_id_kind ?? tax_ids.find((one) => one.value === tax_id)?.kind]
    : [tax_ids[0]?.value, tax_ids[0]?.country, tax_ids[0]?.kind];
  const number = upTo(20, value);
  if (!number) return undefined;
  if (of === dialect.country && kind !== 'passport' && pattern.test(number.toUpperCase())) return { type, number: number.toUpperCase() };
  return { type: types[kind ?? (of === dialect.country || who === 'person' ? 'national' : 'other')] ?? 'TAX', number };
}
