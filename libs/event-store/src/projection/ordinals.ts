import type { Collection } from '@svc/document-store';
import type { Recorded } from '@svc/kernel';
import type { Row } from './projection.ts';

type Tenant = Pick<Row, 'account' | 'env'>;
const keyOf = ({ account, env }: Tenant): string => `${env}.${account}`;

/** The ordinals of a batch's new rows, per account and environment: the highest so far plus one. */
export interface Ordinals {
  /** Counts an existing row. */
  seen(row: Pick<Row, keyof Tenant | 'ordinal'>): void;
  next(tenant: Tenant): number;
}

/**
 * Reads the highest ordinals so far. Call it before the batch's rows are read, and call `seen` for each row found: a row that is still
 * missing then has no ordinal behind the highest read here, even while another process works on the same events. So both processes
 * give it the same number.
 */
export async function ordinalsAfter(rows: Collection<Row>, events: Recorded[]): Promise<Ordinals> {
  const tenants = new Map(events.map(({ metadata }) => [keyOf(metadata), metadata]));
  const highest = new Map<string, number>();
  const read = async (key: string, { account, env }: Tenant): Promise<unknown> =>
    highest.set(key, (await rows.highest('ordinal', { account, env })) ?? 0);
  await Promise.all(Array.from(tenants, ([key, tenant]) => read(key, tenant)));
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
