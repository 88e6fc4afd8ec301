import type { Filter } from '@svc/document-store';
import { rowOf, type Row, type Projection } from '@svc/event-store';
import { compactTaxId, foldCase, versionAt } from '@svc/kernel';
import { customerEvents } from './customers.ts';
import { isWhole } from './domain/events.ts';
import { evolve } from './domain/evolve.ts';
import type { CustomerState } from './domain/state.ts';
import { customerResource } from './resource.ts';
import { oneOf } from '@svc/service';
import { nameTerms, taxIdTerm, type Terms } from '../terms/terms.ts';

export interface CustomerRow extends Row {
  deleted: boolean;
  /** Folded. */
  email: string | null;
  /** Compact. */
  tax_id: string | null;
  /** The folded name, for sorting. */
  name_key: string | null;
}

const tenant = ['account', 'env'];

export const customersProjection: Projection<CustomerRow, CustomerState | null> = {
  name: 'customers_v4',
  category: 'customer',
  ordinals: false,
  indexes: [
    { fields: [...tenant, 'deleted', 'created_at', '_id'] },
    { fields: [...tenant, 'deleted', 'name_key', '_id'] },
    { fields: [...tenant, 'created_at', '_id'] },
    { fields: [...tenant, 'name_key', '_id'] },
    { fields: [...tenant, 'email'] },
    { fields: [...tenant, 'tax_id'] },
    { fields: ['subject'] },
  ],
  newFields: ['email', 'tax_id', 'name_key'], // until 0.3: folded and compact since 0.2
  initialState: null,
  evolve: (state, recorded) => evolve(state, customerEvents.decode(recorded)),
  isWhole,
  row(state, recorded) {
    if (state === null) return undefined;
    const { personal } = state;
    return {
      ...rowOf(recorded),
      subject: state.id,
      created_at: state.created_at,
      deleted: state.deleted_at !== null,
      email: foldedOrNull(personal?.email),
      tax_id: personal?.tax_id ? compactTaxId(personal.tax_id) : null,
      name_key: foldedOrNull(personal?.name),
    };
  },
  resource: (state, { revision }) => customerResource(state as CustomerState, versionAt(revision)),
};

const foldedOrNull = (text: string | null | undefined): string | null => (text ? foldCase(text) : null);

export interface CustomerQuery {
  /** In any case. */
  email?: string[];
  /** Written in any way. */
  tax_id?: string[];
  /** Absent: those that are not deleted; true: only deleted ones; all: both. */
  deleted?: 'true' | 'false' | 'all';
}

export function customerFilter({ email, tax_id, deleted }: CustomerQuery): Filter {
  return {
    ...(email === undefined ? {} : { email: oneOf(email.map((one) => foldCase(withPlus(one)))) }),
    ...(tax_id === undefined ? {} : { tax_id: oneOf(tax_id.map(compactTaxId)) }),
    ...(deleted === 'all' ? {} : { deleted: deleted === 'true' }),
  };
}

/** An address has no spaces: there is one where the `+` of `name+tag@…` was not escaped in the query. */
const withPlus = (email: string): string => email.replaceAll(' ', '+');

export const customerTerms = ({ id, personal, erased_at }: CustomerState): Terms => ({
  ...(personal && { subject: id, ...nameTerms('customer', personal.name), ...taxIdTerm(personal.tax_id) }),
  ...(erased_at !== null && { erased: true as const }),
});
