import type { FrozenCustomer, FrozenIssuer } from '@svc/contracts/document/parties';
import { vatIdOf } from './vat-id.ts';

export interface Identifiers {
  /** BT-31, BT-48. */
  vat?: string;
  /** BT-30, BT-47, as it was sent: where it is no VAT identifier, or must not be one. */
  other?: string;
}

export const sellerCountry = ({ address, country }: FrozenIssuer): string | undefined => (address?.country ?? country) || undefined;

/** `outside`: the document is not subject to VAT and names no VAT identifier (BR-O-02 to BR-O-04). */
export const sellerIds = (issuer: FrozenIssuer, outside: boolean): Identifiers =>
  identifiers(issuer.tax_id, sellerCountry(issuer), !outside && issuer.vat_registered);

/** A further number of the kind vat is the VAT identifier where `tax_id` is none; both are stated. */
export function buyerIds(customer: FrozenCustomer | null, outside: boolean): Identifiers {
  const ids = identifiers(customer?.tax_id, customer?.address?.country || undefined, !outside);
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
