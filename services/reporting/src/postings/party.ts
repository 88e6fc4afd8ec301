import { createHash } from 'node:crypto';
import type { FrozenCustomer, FrozenIssuer } from '@svc/contracts/document/parties';
import type { Collection, Doc } from '@svc/document-store';
import { millisOf } from '@svc/kernel';
import { tenantId } from './epoch.ts';
import type { EntryEvent } from './posting-of.ts';

export type ShownIssuer = Pick<FrozenIssuer, 'legal_name' | 'trade_name' | 'tax_id' | 'address'> & { language: string | null };
export type ShownCustomer = Pick<FrozenCustomer, 'name' | 'tax_id' | 'tax_ids' | 'email' | 'address' | 'language'>;

/**
 * The issuer or a customer of a tenant, as on the invoice that was registered last. `version`: the time of the registration, in milliseconds since 1970.
 */
export interface Party extends Doc {
  /** `_id` of its `PartyCopy`. */
  copy: string;
}

/** As some invoice shows it, whose copy it is: like the invoice it stays as it is when the customer is erased. Never changed. */
export interface PartyCopy extends Doc {
  /** The first invoice that was seen with it: `inv_…`. */
  document: string;
  issuer?: ShownIssuer;
  customer?: ShownCustomer;
}

/** What an invoice shows of a party. */
export interface SeenParty {
  party: Party;
  copy: PartyCopy;
}

/** Copies of the issuer and of a customer; null: there is none. */
export interface NewestParties {
  issuer: string | null;
  customer: string | null;
}

type Tenant = Pick<EntryEvent, 'account' | 'env'>;
export type Parties = Collection<Party>;
export type PartyCopies = Collection<PartyCopy>;

export const PARTIES = 'parties_v1';
export const PARTY_COPIES = 'party_copies_v1';

const customerId = (tenant: Tenant, customer: string): string => `${tenantId(tenant)}.${customer}`;

/** Who an invoice was between. Of a receipt nothing is due: it names none. */
export function partiesOf(event: EntryEvent): SeenParty[] {
  const { data } = event;
  if (data.object !== 'invoice') return [];
  const { issuer, customer } = data;
  return [
    ...(issuer ? [seenOf(event, tenantId(event), { issuer: shownIssuer(issuer) })] : []),
    ...(customer ? [seenOf(event, customerId(event, customer.id), { customer: shownCustomer(customer) })] : []),
  ];
}

function seenOf({ time, data }: EntryEvent, _id: string, shown: Pick<PartyCopy, 'issuer' | 'customer'>): SeenParty {
  const copy = `${_id}.${createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22)}`;
  return { party: { _id, version: millisOf(time), copy }, copy: { _id: copy, version: 1, document: data.id, ...shown } };
}

/** The copies of a tenant's issuer and of a customer that are the newest now. */
export async function newestParties(parties: Parties, tenant: Tenant, customer: string): Promise<NewestParties> {
  const [issuer, own] = await Promise.all([parties.get(tenantId(tenant)), parties.get(customerId(tenant, customer))]);
  return { issuer: issuer?.copy ?? null, customer: own?.copy ?? null };
}

const shownIssuer = ({ legal_name, trade_name, tax_id, address, language = null }: FrozenIssuer): ShownIssuer => ({
  ...{ legal_name, trade_name, tax_id, address, language },
});

const shownCustomer = ({ name, tax_id, tax_ids, email, address, language }: FrozenCustomer): ShownCustomer => ({
  ...{ name, tax_id, email, address, language },
  ...(tax_ids && { tax_ids }),
});

/** The newest of each party. */
export const newestOf = (seen: readonly SeenParty[]): Party[] => [
  ...new Map(
    seen
      .map(({ party }) => party)
      .sort((a, b) => a.version - b.version)
      .map((party) => [party._id, party]),
  ).values(),
];
