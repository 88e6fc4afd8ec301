import type { Caller } from '../accounts/caller.ts';
import { type Costing, requestBeforeItsIds, requestCosting } from './costing.ts';
import type { RouteEntry } from './route-table.ts';

/** The route whose cost is its number of ids, known once its body is read. */
export const BATCH_SUBMIT = 'POST /invoices/batch/submit';

/** What this request costs, as far as it can be told from its path. Made once for each caller and kind of route. */
export function costingOf({ costings, limits }: Caller, entry: RouteEntry | undefined): Costing {
  const endpoints = entry?.route.cost;
  const kind = endpoints === undefined || endpoints.length === 0 ? '' : entry?.name === BATCH_SUBMIT ? BATCH_SUBMIT : endpoints.join();
  let costing = costings.get(kind);
  if (costing === undefined) {
    costing = kind === BATCH_SUBMIT ? requestBeforeItsIds(limits, endpoints ?? []) : requestCosting(limits, endpoints ?? []);
    costings.set(kind, costing);
  }
  return costing;
}
