import type * as shown from '@svc/contracts/account/resource';
import type { Audited } from '@svc/service';
import type { Plan } from '@svc/contracts/account/vocabulary';

/** Requests per minute; `burst` is the size of the token bucket, `storage` bytes. */
export type Limits = Required<shown.Limits>;

/** `_id` is `acct_…`. */
export interface Account extends Audited {
  /** Ids of the members who are owners: see members/owners.ts. */
  owners?: string[] | undefined;
  /** Whether every member needs two factors. */
  require_totp?: boolean | undefined;
  name: string;
  email: string | null;
  plan: Plan;
  /** Overrides for this account. A missing one is the plan's; null: no overrides. */
  limits: Partial<Limits> | null;
  suspended: boolean;
  created_at: string;
  updated_at: string;
}
