import type { Collection } from '@svc/document-store';
import type { Recorded } from '@svc/kernel';
import type { Row } from './view.ts';

type Tenant = Pick<Row, 'account' | 'env'>;
const keyOf = ({ account, env }: Tenant): string => `${env}.${account}`;

/** The numbers of a batch's new rows, per account and environment: the highest so far plus one. */
export interface Ordinals {
  /** Counts a row that is there already. */
  seen(row: Row): void;
  next(tenant: Tenant): number;
}

/**
 * Reads the highest ordinals so far. To be called before the batch's rows are read, and told of those that are found: a row that is
 * missing then has none behind it in what was read here, also while another process works on the same events for a moment. So both
 * give it the same number.
 */
export async function ordinalsAfter(rows: Collection<Row>, events: Recorded[]): Promise<Ordinals> {
  const tenants = new Map(events.map(({ metadata }) => [keyOf(metadata), metadata]));
  const highest = new Map<string, number>();
  for (const [key, { account, env }] of tenants) {
    highest.set(key, (await rows.highest('ordinal', { account, env })) ?? 0);
  }
  const count = (tenant: Tenant, ordinal: number): number => {
    highest.set(keyOf(tenant), ordinal);
    return ordinal;
  };
  const last = (tenant: Tenant): number => highest.get(keyOf(tenant)) ?? 0;
  return {
    seen: (row) => void count(row, Math.max(last(row), row.ordinal ?? 0)),
    next: (tenant) => count(tenant, last(tenant) + 1),
  };
}
