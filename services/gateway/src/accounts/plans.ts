import type { Plan } from '@svc/contracts/account/vocabulary';
import type { Limits } from './account.ts';

/** Requests per minute and size of the burst bucket. An enterprise account's limits are set individually; the defaults are professional's. */
const ofPlan: Record<Plan, Pick<Limits, 'plan' | 'burst'>> = {
  free: { plan: 60, burst: 10 },
  starter: { plan: 300, burst: 50 },
  professional: { plan: 1000, burst: 100 },
  enterprise: { plan: 1000, burst: 100 },
};

const ofEndpoints: Omit<Limits, 'plan' | 'burst'> = { submit: 10, receipts: 100, reports: 5 };

/** The effective limits of an account: its own, else the plan's. */
export const limitsOf = (plan: Plan, own: Partial<Limits> | null): Limits => ({ ...ofEndpoints, ...ofPlan[plan], ...own });
