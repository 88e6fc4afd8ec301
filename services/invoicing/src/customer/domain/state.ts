import type * as shown from '@svc/contracts/address';
import type { CustomerKind, TaxId, TaxIdKind } from '@svc/contracts/tax-id';

export type Address = Required<shown.Address>;

export const noAddress: Address = { line1: null, line2: null, city: null, postal_code: null, region: null, country: null };

/** What is encrypted under the customer's own key. */
export interface Personal {
  name: string;
  email: string | null;
  phone: string | null;
  tax_id: string | null;
  /** Absent: not given. */
  tax_id_kind?: TaxIdKind;
  kind?: CustomerKind;
  /** Absent: none. */
  tax_ids?: TaxId[];
  address: Address | null;
}

export interface CustomerState {
  id: string;
  livemode: boolean;
  /** null: erased, its key was destroyed. */
  personal: Personal | null;
  /** BCP 47. */
  language: string | null;
  metadata: Record<string, string>;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
  erased_at: string | null;
}
