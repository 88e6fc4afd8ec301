import type { Plan } from '@svc/contracts/account/vocabulary';
import type { Limits } from './account.ts';

const GIB = 1024 ** 3;

/** Requests per minute, size of the burst bucket, bytes that may be stored. An enterprise account's limits are set individually; the defaults are professional's. */
const ofPlan: Record<Plan, Pick<Limits, 'plan' | 'burst' | 'storage'>> = {
  free: { plan: 60, burst: 10, storage: GIB },
  starter: { plan: 300, burst: 50, storage: 10 * GIB },
  professional: { plan: 1000, burst: 100, storage: 100 * GIB },
  enterprise: { plan: 1000, burst: 100, storage: 100 * GIB },
};

const ofEndpoints: Omit<Limits, 'plan' | 'burst' | 'storage'> = { submit: 10, receipts: 100, reports: 5 };

/** The effective limits of an account: its own, else the plan's. */
export const limitsOf = (plan: Plan, own: Partial<Limits> | null): Limits => ({ ...ofEndpoints, ...ofPlan[plan], ...own });
