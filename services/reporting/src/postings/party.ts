import type { FrozenCustomer, FrozenIssuer } from '@svc/contracts/document/parties';
import type { Collection, Doc } from '@svc/document-store';
import { millisOf } from '@svc/kernel';
import type { EntryEvent } from './posting-of.ts';

export type ShownIssuer = Pick<FrozenIssuer, 'legal_name' | 'trade_name' | 'tax_id' | 'address'> & { language: string | null };
export type ShownCustomer = Pick<FrozenCustomer, 'name' | 'tax_id' | 'tax_ids' | 'email' | 'address' | 'language'>;

/**
 * The issuer or a customer of a tenant, as on the invoice that was registered last, whose copy it is: like the invoice it stays as it is when the
 * customer is erased. `version`: the time of the registration, in milliseconds since 1970.
 */
export interface Party extends Doc {
  /** The invoice: `inv_…`. */
  document: string;
  issuer?: ShownIssuer;
  customer?: ShownCustomer;
}

export type Parties = Collection<Party>;

export const PARTIES = 'parties_v1';

type Tenant = Pick<EntryEvent, 'account' | 'env'>;
export const issuerId = ({ account, env }: Tenant): string => `${env}.${account}`;
export const customerId = (tenant: Tenant, customer: string): string => `${issuerId(tenant)}.${customer}`;

/** Who an invoice was between. Of a receipt nothing is due: it names none. */
export function partiesOf(event: EntryEvent): Party[] {
  const { data, time } = event;
  if (data.object !== 'invoice') return [];
  const copy = { version: millisOf(time), document: data.id };
  return [
    ...(data.issuer ? [{ _id: issuerId(event), ...copy, issuer: shownIssuer(data.issuer) }] : []),
    ...(data.customer ? [{ _id: customerId(event, data.customer.id), ...copy, customer: shownCustomer(data.customer) }] : []),
  ];
}

const shownIssuer = ({ legal_name, trade_name, tax_id, address, language = null }: FrozenIssuer): ShownIssuer => ({
  ...{ legal_name, trade_name, tax_id, address, language },
});

const shownCustomer = ({ name, tax_id, tax_ids, email, address, language }: FrozenCustomer): ShownCustomer => ({
  ...{ name, tax_id, email, address, language },
  ...(tax_ids && { tax_ids }),
});

/** The newest of each. */
export const newestParties = (parties: readonly Party[]): Party[] => [
  ...new Map(parties.toSorted((a, b) => a.version - b.version).map((party) => [party._id, party])).values(),
];
