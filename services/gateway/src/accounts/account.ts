import type { Doc } from '@svc/document-store';
import type { Plan } from '@svc/contracts/account/vocabulary';

/** Per minute, except `burst`: the size of the bucket. */
export interface Limits {
  plan: number;
  burst: number;
  submit: number;
  receipts: number;
  reports: number;
}

/** `_id` is `acct_…`. */
export interface Account extends Doc {
  name: string;
  email: string | null;
  plan: Plan;
  /** What was set for this account alone; the rest is the plan's. */
  limits: Partial<Limits> | null;
  suspended: boolean;
  created_at: string;
  updated_at: string;
}
