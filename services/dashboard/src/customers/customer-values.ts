import type { Resource } from '../api/types.ts';

const ADDRESS = ['line1', 'line2', 'postal_code', 'city', 'region', 'country'] as const;
type AddressField = (typeof ADDRESS)[number];
export const addressFields: readonly AddressField[] = ADDRESS;
const FIELDS = ['name', 'email', 'phone', 'tax_id', 'tax_id_kind', 'kind', 'language'] as const;
/** What an authority may want to know of a customer; '' is not known. */
export const taxIdKinds = ['vat', 'national', 'passport', 'other'] as const;
export const customerKinds = ['business', 'person'] as const;

/** What the form holds, as it is typed. */
export type CustomerValues = Record<(typeof FIELDS)[number] | AddressField, string>;

export const noCustomer: CustomerValues = {
  ...{ name: '', email: '', phone: '', tax_id: '', tax_id_kind: '', kind: '', language: '' },
  ...{ line1: '', line2: '', postal_code: '', city: '', region: '', country: '' },
};

export const valuesOf = (customer: Resource<'Customer'>): CustomerValues => ({
  ...(Object.fromEntries(FIELDS.map((name) => [name, customer[name] ?? ''])) as CustomerValues),
  ...(Object.fromEntries(ADDRESS.map((name) => [name, customer.address?.[name] ?? ''])) as CustomerValues),
});

const orNull = (text: string): string | null => text.trim() || null;

/** What is sent: an empty field is null, an address without a field is none. */
export function customerOf(values: CustomerValues): Resource<'CreateCustomer'> {
  const address = Object.fromEntries(ADDRESS.map((name) => [name, orNull(values[name])]));
  const isEmpty = Object.values(address).every((value) => value === null);
  return {
    name: values.name.trim(),
    ...{ email: orNull(values.email), phone: orNull(values.phone), tax_id: orNull(values.tax_id), language: orNull(values.language) },
    tax_id_kind: (values.tax_id_kind || null) as (typeof taxIdKinds)[number] | null,
    kind: (values.kind || null) as (typeof customerKinds)[number] | null,
    address: isEmpty ? null : address,
  };
}
