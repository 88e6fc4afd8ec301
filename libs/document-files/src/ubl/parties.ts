import type { Address } from '@svc/contracts/address';
import type { FrozenCustomer, FrozenIssuer } from '@svc/contracts/document/parties';
import { vatIdOf } from './vat-id.ts';
import { textOf, withParts, type Node } from './xml.ts';

export interface Identifiers {
  /** BT-31, BT-48. */
  vat?: string;
  /** BT-30, BT-47, as it was sent: where it is no VAT identifier, or must not be one. */
  other?: string;
}

export const sellerCountry = ({ address, country }: FrozenIssuer): string | undefined => textOf(address?.country ?? country);

/** `outside`: the document is not subject to VAT and names no VAT identifier (BR-O-02 to BR-O-04). */
export const sellerIds = (issuer: FrozenIssuer, outside: boolean): Identifiers =>
  identifiers(issuer.tax_id, sellerCountry(issuer), !outside && issuer.vat_registered);

/** A further number of the kind vat is the VAT identifier where `tax_id` is none; both are stated. */
export function buyerIds(customer: FrozenCustomer | null, outside: boolean): Identifiers {
  const ids = identifiers(customer?.tax_id, textOf(customer?.address?.country), !outside);
  if (ids.vat || outside) return ids;
  for (const { kind, country, value } of customer?.tax_ids ?? []) {
    const vat = kind === 'vat' ? vatIdOf(country, value) : undefined;
    if (vat) return { ...ids, vat };
  }
  return ids;
}

function identifiers(taxId: string | null | undefined, country: string | undefined, isVat: boolean): Identifiers {
  if (!taxId) return {};
  const vat = isVat ? vatIdOf(country, taxId) : undefined;
  return vat ? { vat } : { other: taxId };
}

/** BG-4. A tax number that is no VAT identifier is both BT-30 and BT-32: either identifies the seller. */
export function sellerParty(issuer: FrozenIssuer, { vat, other }: Identifiers): Node {
  const name = textOf(issuer.trade_name);
  return {
    'cac:Party': {
      'cac:PartyName': name && { 'cbc:Name': name },
      'cac:PostalAddress': postalAddress(issuer.address, sellerCountry(issuer)),
      'cac:PartyTaxScheme': vat ? taxScheme(vat, 'VAT') : other ? taxScheme(other, 'TAX') : undefined,
      'cac:PartyLegalEntity': withParts({ 'cbc:RegistrationName': textOf(issuer.legal_name), 'cbc:CompanyID': other }),
    },
  };
}

/** BG-7. An erased customer has no parts. */
export function buyerParty(customer: FrozenCustomer | null, { vat, other }: Identifiers): Node {
  return {
    'cac:Party': {
      'cac:PostalAddress': postalAddress(customer?.address, textOf(customer?.address?.country)),
      'cac:PartyTaxScheme': vat && taxScheme(vat, 'VAT'),
      'cac:PartyLegalEntity': withParts({ 'cbc:RegistrationName': textOf(customer?.name), 'cbc:CompanyID': other }),
      'cac:Contact': withParts({ 'cbc:Telephone': textOf(customer?.phone), 'cbc:ElectronicMail': textOf(customer?.email) }),
    },
  };
}

const taxScheme = (id: string, scheme: string): Node => ({ 'cbc:CompanyID': id, 'cac:TaxScheme': { 'cbc:ID': scheme } });

const postalAddress = (address: Address | null | undefined, country: string | undefined): Node =>
  withParts({
    'cbc:StreetName': textOf(address?.line1),
    'cbc:AdditionalStreetName': textOf(address?.line2),
    'cbc:CityName': textOf(address?.city),
    'cbc:PostalZone': textOf(address?.postal_code),
    'cbc:CountrySubentity': textOf(address?.region),
    'cac:Country': country && { 'cbc:IdentificationCode': country },
  });
