import type { Filter } from '@svc/document-store';
import { rowOf, type Row, type Projection } from '@svc/event-store';
import { versionAt } from '@svc/kernel';
import { customerEvents } from './customers.ts';
import { isWhole } from './domain/events.ts';
import { evolve } from './domain/evolve.ts';
import type { CustomerState } from './domain/state.ts';
import { customerResource } from './resource.ts';
import { beginsWith, nameKey } from '../projections/by-name.ts';

export interface CustomerRow extends Row {
  deleted: boolean;
  email: string | null;
  tax_id: string | null;
  /** The normalized name, for sorting and searching. */
  name_key: string | null;
}

const tenant = ['account', 'env'];

export const customersProjection: Projection<CustomerRow, CustomerState | null> = {
  name: 'customers_v2',
  category: 'customer',
  ordinals: false,
  indexes: [
    { fields: [...tenant, 'deleted', 'created_at', '_id'] },
    { fields: [...tenant, 'deleted', 'name_key', '_id'] },
    { fields: [...tenant, 'email'] },
    { fields: [...tenant, 'tax_id'] },
    { fields: ['subject'] },
  ],
  initialState: null,
  evolve: (state, recorded) => evolve(state, customerEvents.decode(recorded)),
  isWhole: (recorded) => isWhole(customerEvents.decode(recorded)),
  row(state, recorded) {
    if (state === null) return undefined;
    const { personal } = state;
    return {
      ...rowOf(recorded),
      subject: state.id,
      created_at: state.created_at,
      deleted: state.deleted_at !== null,
      email: personal?.email ?? null,
      tax_id: personal?.tax_id ?? null,
      name_key: personal ? nameKey(personal.name) : null,
    };
  },
  resource: (state, { revision }) => customerResource(state as CustomerState, versionAt(revision)),
};

export interface CustomerQuery {
  email?: string;
  tax_id?: string;
  /** A prefix of the name, in any case. */
  q?: string;
  /** Absent: those that are not deleted; true: only deleted ones; all: both. */
  deleted?: 'true' | 'false' | 'all';
}

export function customerFilter({ email, tax_id, q, deleted }: CustomerQuery): Filter {
  return {
    ...(email === undefined ? {} : { email }),
    ...(tax_id === undefined ? {} : { tax_id }),
    ...(q === undefined ? {} : { name_key: beginsWith(q) }),
    ...(deleted === 'all' ? {} : { deleted: deleted === 'true' }),
  };
}
