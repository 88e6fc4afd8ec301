import type { FrozenDevice } from '@svc/contracts/issuer/device';
import type { Details } from '@svc/kernel';
import type { CustomerState, Personal } from '../../customer/domain/state.ts';
import { staffAt, type PointOfSale } from '../../issuer/domain/point-of-sale.ts';
import type { IssuerState } from '../../issuer/domain/state.ts';

/** Who a document is to, as it was when the document was submitted: a legal record, in clear. */
export interface FrozenCustomer extends Pick<CustomerState, 'id' | 'language'>, Omit<Personal, 'name'> {
  name: string | null;
}

const FROZEN = [
  'id',
  'legal_name',
  'trade_name',
  'tax_id',
  'vat_registered',
  'address',
  'country',
  'currency',
  'time_zone',
  'language',
  'software_code',
] as const;
type Frozen = Pick<IssuerState, (typeof FROZEN)[number]>;

/** Who issued it, where, and by which authority it is judged: of the units and operators those that the document was made by, in old ones all. */
export interface FrozenIssuer extends Frozen, Pick<IssuerState, 'units' | 'operators'> {
  authority: NonNullable<IssuerState['authority']>;
  /** The till, where something is set of it. */
  devices?: FrozenDevice[];
  /** Absent: there is none. */
  installation?: string;
  /** Absent: the general one. */
  tax_regime?: string;
}

export interface FrozenParties<Customer = FrozenCustomer> {
  issuer: FrozenIssuer;
  customer: Customer;
}

/** What of a customer can be stored in clear before the document is a legal record. */
export type NamedCustomer = Pick<FrozenCustomer, 'id' | 'language'>;
/** The rest: `data.personal` of the event that asks for the number, encrypted under the customer's key; null once that is destroyed. */
export type PersonalPart = Omit<FrozenCustomer, keyof NamedCustomer>;

/** Both parts of a customer. */
export function parted({ id, language, ...personal }: FrozenCustomer): { named: NamedCustomer; personal: PersonalPart } {
  return { named: { id, language }, personal };
}

/** As a request for a number freezes them, the personal data that it holds encrypted included. */
export const partiesOf = <Customer extends NamedCustomer | FrozenCustomer | null>(request: {
  parties: FrozenParties<Customer>;
  personal?: PersonalPart | null;
}): FrozenParties<FrozenCustomer | Extract<Customer, null>> => {
  const { issuer, customer } = request.parties;
  const frozen = customer && ('name' in customer ? customer : whole(customer, request.personal ?? null));
  return { issuer, customer: frozen as FrozenCustomer | Extract<Customer, null> };
};

/** Both together again. `personal`: null where nobody can read it any more. */
export function whole({ id, language }: NamedCustomer, personal: PersonalPart | null): FrozenCustomer {
  const { name = null, email = null, phone = null, tax_id = null, tax_id_kind, kind, tax_ids, address = null } = personal ?? {};
  const more = { ...(tax_id_kind && { tax_id_kind }), ...(kind && { kind }), ...(tax_ids && { tax_ids }) };
  return { id, name, email, phone, tax_id, ...more, language, address };
}

export const frozenCustomer = (customer: CustomerState): FrozenCustomer => whole(customer, customer.personal);

/** undefined: no authority is set, nothing can be submitted. */
export function frozenIssuer(issuer: IssuerState, sale: PointOfSale): FrozenIssuer | undefined {
  const { authority, installation, tax_regime } = issuer;
  if (authority === null) return undefined;
  const frozen = Object.fromEntries(FROZEN.map((field) => [field, issuer[field]])) as unknown as Frozen;
  const named = { ...(installation !== null && { installation }), ...(tax_regime !== null && { tax_regime }) };
  return { ...frozen, ...staffAt(sale, issuer), authority, ...named };
}

export const noCustomer: Details = {
  customer_id: ['There is no such customer, or it was deleted. Check the id, and that the key is of the same environment.'],
};

/** A customer that new documents can be made out to. */
export const isActive = (customer: CustomerState | undefined): customer is CustomerState =>
  customer !== undefined && customer.deleted_at === null;

/** Whether an invoice can be made out to the customer; one that corrects another, also when it was deleted since, though not erased. */
export const canBeInvoiced = (customer: CustomerState | undefined, corrects: string | null): boolean =>
  customer !== undefined && (customer.deleted_at === null || (corrects !== null && customer.personal !== null));
