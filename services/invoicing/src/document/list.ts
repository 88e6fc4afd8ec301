import type { InvoicesQuery } from '@svc/contracts/invoice/queries';
import type { Filter, Index, Sort } from '@svc/document-store';
import { createdRange, type Identity } from '@svc/service';
import type { InvoicingContext } from '../context.ts';

const tenant = ['account', 'env'];
/** What every document is found and sorted by, in the order of creation. */
export const documentIndexes: Index[] = ['status', 'customer_id', 'number', 'issue_date', 'created_at', 'total'].map((field) => ({
  fields: [...tenant, field, 'ordinal'],
}));

/** The filters of days that every document's list takes. */
export type DayFilters = Pick<InvoicesQuery, 'created_from' | 'created_to' | 'issue_from' | 'issue_to'>;

/** Both ends of a range of days are inclusive. `equal`: fields that are compared as they are. `timeZone`: whose days `created_…` mean. */
export function documentFilter<Query extends DayFilters>(query: Query, equal: readonly (keyof Query)[], timeZone: string): Filter {
  const { issue_from: from, issue_to: to } = query;
  const issued = { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lte: to }) };
  return {
    ...Object.fromEntries(equal.flatMap((field) => (query[field] === undefined ? [] : [[field, query[field]]]))),
    ...createdRange(query, timeZone),
    ...(Object.keys(issued).length === 0 ? {} : { issue_date: issued }),
  };
}

/** The issuer's zone, where the filters name days of it. */
export async function zoneFor(
  { created_from, created_to }: DayFilters,
  { issuers }: InvoicingContext,
  { account, env }: Identity,
): Promise<string> {
  return created_from === undefined && created_to === undefined ? 'UTC' : (await issuers.of(account, env)).time_zone;
}

/** Ties in the order of creation. */
export const documentOrders: Record<string, Sort> = Object.fromEntries(
  ['issue_date', 'number', 'total'].flatMap((field): [string, Sort][] => [
    [field, { [field]: 1, ordinal: 1 }],
    [`-${field}`, { [field]: -1, ordinal: -1 }],
  ]),
);
