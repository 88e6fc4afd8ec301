import type { Caller } from '../accounts/caller.ts';
import { type RateLimitCost, requestBeforeItsIds, requestCost } from './rate-limit-cost.ts';
import type { RouteEntry } from './route-table.ts';

/** The route whose cost is its number of ids, which is known after its body was read. */
export const BATCH_SUBMIT = 'POST /invoices/batch/submit';

/** The cost of a request as far as its route determines it. Computed once for each caller and kind of route. */
export function routeCost({ costs, limits }: Caller, entry: RouteEntry | undefined): RateLimitCost {
  const endpoints = entry?.route.cost;
  const kind = endpoints === undefined || endpoints.length === 0 ? '' : entry?.name === BATCH_SUBMIT ? BATCH_SUBMIT : endpoints.join();
  let cost = costs.get(kind);
  if (cost === undefined) {
    cost = kind === BATCH_SUBMIT ? requestBeforeItsIds(limits, endpoints ?? []) : requestCost(limits, endpoints ?? []);
    costs.set(kind, cost);
  }
  return cost;
}
