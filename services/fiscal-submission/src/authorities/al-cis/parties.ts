import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { iso31661Alpha2ToAlpha3 } from 'iso-3166';
import { element, type Element } from '../../xml/element.ts';
import { upTo } from './ascii.ts';

type Customer = NonNullable<RegistrationRequested['customer']>;

export const NUIS = /^[A-Z][0-9]{8}[A-Z]$/;

const alpha3 = (country: string | null | undefined): string | undefined => (country ? iso31661Alpha2ToAlpha3[country] : undefined);
const placeOf = (address: Customer['address']) => ({
  Address: upTo(200, [address?.line1, address?.line2].filter(Boolean).join(', ')),
  Town: upTo(100, address?.city),
});

export const sellerOf = ({ tax_id, legal_name, address, country }: RegistrationRequested['issuer']): Element =>
  element('Seller', {
    ...{ IDType: 'NUIS', IDNum: tax_id ?? '', Name: upTo(100, legal_name), ...placeOf(address) },
    Country: alpha3(address?.country ?? country),
  });

/** Of a receipt without a customer there is none. */
export function buyerOf(customer: Customer | null): Element | null {
  if (!customer) return null;
  const id = idOf(customer);
  return element('Buyer', {
    ...{ IDType: id?.type, IDNum: id?.number, Name: upTo(100, customer.name), ...placeOf(customer.address) },
    Country: alpha3(customer.address?.country),
  });
}

const types: Record<string, string> = { vat: 'VAT', national: 'ID', passport: 'PASS', other: 'TAX' };

/** `tax_id` before the further numbers. One of Albania in the form of a NUIS is one. */
function idOf({ tax_id, tax_ids = [], address }: Customer): { type: string; number: string } | undefined {
  const country = address?.country ?? 'AL';
  const [value, of, kind] = tax_id
    ? [tax_id, country, tax_ids.find((one) => one.value === tax_id)?.kind]
    : [tax_ids[0]?.value, tax_ids[0]?.country, tax_ids[0]?.kind];
  const number = upTo(20, value);
  if (!number) return undefined;
  if (of === 'AL' && NUIS.test(number.toUpperCase())) return { type: 'NUIS', number: number.toUpperCase() };
  return { type: types[kind ?? (of === 'AL' ? 'national' : 'other')] ?? 'TAX', number };
}
