import type { Address } from '@svc/contracts/address';
import type { FrozenCustomer, FrozenIssuer } from '@svc/contracts/document/parties';
import { sellerCountry, type Identifiers } from './identifiers.ts';
import { textOf, withParts, type Node } from './xml.ts';

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
