import type { Collection } from '@svc/document-store';
import type { Env } from '@svc/kernel';
import type { Row } from './row.ts';

export type Rows = Pick<Collection<Row>, 'find' | 'count'>;

interface Waiting {
  authority: string;
  env: Env;
  waits_for: 'authority' | 'review';
}

/** Work is left of a document that waits for the authority. A process of an older release ends it by `due_at` alone. */
const dueOf = ({ waits_for }: Pick<Waiting, 'waits_for'>) => (waits_for === 'authority' ? { $gte: 0 } : null);

export const countWaiting = (rows: Rows, of: Waiting): Promise<number> => rows.count({ ...of, due_at: dueOf(of) });

/** Since when, in milliseconds, the document waits that has waited longest for the authority; undefined: none waits. */
export async function oldestWaiting(rows: Rows, of: Omit<Waiting, 'waits_for'>): Promise<number | undefined> {
  const waiting = { ...of, waits_for: 'authority' } as const;
  const filter = { ...waiting, waits_since: { $gte: 0 }, due_at: dueOf(waiting) };
  for await (const { waits_since } of rows.find(filter, { sort: { waits_since: 1 }, limit: 1 })) return waits_since ?? undefined;
  return undefined;
}
