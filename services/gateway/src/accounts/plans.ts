import type { Plan } from '@svc/contracts/account/vocabulary';
import type { Limits } from './account.ts';

/** Requests per minute and size of the burst bucket. Those of enterprise are agreed with each account; until then it has professional's. */
const ofPlan: Record<Plan, Pick<Limits, 'plan' | 'burst'>> = {
  free: { plan: 60, burst: 10 },
  starter: { plan: 300, burst: 50 },
  professional: { plan: 1000, burst: 100 },
  enterprise: { plan: 1000, burst: 100 },
};

const ofEndpoints: Omit<Limits, 'plan' | 'burst'> = { submit: 10, receipts: 100, reports: 5 };

/** The limits that hold for an account: what was set for it, else its plan's, else the interface's. */
export const limitsOf = (plan: Plan, own: Partial<Limits> | null): Limits => ({ ...ofEndpoints, ...ofPlan[plan], ...own });
