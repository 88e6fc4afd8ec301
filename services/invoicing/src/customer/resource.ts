import type { CustomerResource } from '@svc/contracts/customer/resource';
import type { CustomerState } from './domain/state.ts';

/** The customer as the API returns it. Once erased (or its key destroyed) every personal field is null. */
export function customerResource(state: CustomerState, version: number): CustomerResource {
  const { personal } = state;
  return {
    id: state.id,
    object: 'customer',
    livemode: state.livemode,
    name: personal?.name ?? null,
    email: personal?.email ?? null,
    phone: personal?.phone ?? null,
    tax_id: personal?.tax_id ?? null,
    ...(personal?.tax_id_kind && { tax_id_kind: personal.tax_id_kind }),
    ...(personal?.kind && { kind: personal.kind }),
    tax_ids: personal?.tax_ids ?? [],
    language: state.language,
    address: personal?.address ?? null,
    metadata: state.metadata,
    deleted_at: state.deleted_at,
    erased_at: state.erased_at,
    created_at: state.created_at,
    updated_at: state.updated_at,
    version,
  };
}
