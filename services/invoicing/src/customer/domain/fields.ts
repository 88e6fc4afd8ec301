import type { CreateCustomer, UpdateCustomer } from '@svc/contracts/customer/requests';
import { invalid, mergeMetadata } from '@svc/kernel';
import { noAddress, type Address, type CustomerState, type Personal } from './state.ts';
import { noTaxIdOf, type TaxIdCheck, wrongTaxIds } from './tax-id.ts';

export interface CustomerFields {
  personal: Personal;
  language: string | null;
  metadata: Record<string, string>;
}

/** A create body, or a merge patch (RFC 7396): an absent field stays, null removes it, `address` and `metadata` merge. */
export type CustomerBody = CreateCustomer | UpdateCustomer;

/** The customer after `body`. Throws when the name is missing or the tax id is not valid in the country. */
export function mergedFields(body: CustomerBody, now: CustomerState | null, isTaxId: TaxIdCheck): CustomerFields {
  const personal = mergedPersonal(body, now?.personal ?? null);
  const { tax_id: taxId, tax_id_kind: kind, address } = personal;
  const before = now?.personal;
  const changed = taxId !== before?.tax_id || kind !== before?.tax_id_kind || address?.country !== before?.address?.country;
  const isRuled = kind !== 'passport' && kind !== 'other';
  if (changed && isRuled && taxId !== null && address?.country && !isTaxId(address.country, taxId)) {
    throw invalid({ tax_id: [noTaxIdOf(address.country)] });
  }
  const wrong = wrongTaxIds(personal.tax_ids ?? [], now?.personal?.tax_ids ?? [], isTaxId);
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
  return {
    personal,
    language: body.language === undefined ? (now?.language ?? null) : body.language,
    metadata: body.metadata === undefined ? (now?.metadata ?? {}) : mergeMetadata(now?.metadata ?? {}, body.metadata),
  };
}

function mergedPersonal(body: CustomerBody, now: Personal | null): Personal {
  const merged = <Key extends 'email' | 'phone' | 'tax_id'>(key: Key) => (body[key] === undefined ? (now?.[key] ?? null) : body[key]);
  const name = body.name === undefined ? now?.name : body.name;
  if (name === undefined || name === null) throw invalid({ name: ['is required'] });
  const plain = Object.fromEntries(
    (['tax_id_kind', 'kind'] as const).flatMap((key) => {
      const value = body[key] === undefined ? now?.[key] : body[key];
      return value ? [[key, value]] : [];
    }),
  );
  const taxIds = (body.tax_ids === undefined ? now?.tax_ids : body.tax_ids) ?? [];
  return {
    ...{ name, email: merged('email'), phone: merged('phone'), tax_id: merged('tax_id'), address: mergedAddress(body, now) },
    ...plain,
    ...(taxIds.length > 0 && { tax_ids: taxIds.map(({ country, value, kind }) => ({ country, value, kind })) }),
  };
}

function mergedAddress({ address }: CustomerBody, now: Personal | null): Address | null {
  if (address === undefined) return now?.address ?? null;
  return address === null ? null : { ...noAddress, ...now?.address, ...address };
}
