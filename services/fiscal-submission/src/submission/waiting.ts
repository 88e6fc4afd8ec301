import type { Collection } from '@svc/document-store';
import type { Env } from '@svc/kernel';
import type { Row } from './row.ts';

export type Rows = Pick<Collection<Row>, 'find' | 'count'>;

interface Waiting {
  authority: string;
  env: Env;
  waits_for: 'authority' | 'review';
}

export const countWaiting = (rows: Rows, of: Waiting): Promise<number> => rows.count({ ...of });

/** Since when, in milliseconds, the document waits that has waited longest for the authority; undefined: none waits. */
export async function oldestWaiting(rows: Rows, of: Omit<Waiting, 'waits_for'>): Promise<number | undefined> {
  const filter = { ...of, waits_for: 'authority', waits_since: { $gte: 0 } } as const;
  for await (const { waits_since } of rows.find(filter, { sort: { waits_since: 1 }, limit: 1 })) return waits_since ?? undefined;
  return undefined;
}
