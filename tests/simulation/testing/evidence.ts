import type { LedgerRow } from '@svc/authority-simulator';
import type { Recorded } from '@svc/kernel';
import type { Acknowledged } from './acknowledged.ts';
import type { Clients } from './clients.ts';
import type { Delivered } from './subscriber.ts';
import { deadLettersOf, type SimulatedSystem } from './system.ts';

export interface Resource {
  id: string;
  object: 'invoice' | 'receipt' | 'customer';
  status: string;
  number: string | null;
  fiscal_code: string | null;
  fiscal: { status: string } | null;
  total: number;
  /** Of invoices. */
  type?: string;
  corrects?: string | null;
  amount_paid?: number;
  amount_credited?: number;
  version: number;
  metadata: Record<string, string>;
  issue_date?: string | null;
  deleted_at?: string | null;
}

export interface Payment {
  id: string;
  amount: number;
}

/** The state of the system at rest, for the invariants. */
export interface Evidence {
  acknowledged: Acknowledged[];
  /** Idempotency-Keys of creations. */
  keys: ReadonlySet<string>;
  /** The account's events by stream, in order. */
  streams: ReadonlyMap<string, Recorded[]>;
  errors: string[];
  /** All stored resources by id, as GET returns them. */
  resources: ReadonlyMap<string, Resource>;
  /** The payments of each invoice that has any. */
  payments: ReadonlyMap<string, Payment[]>;
  /** All pages of the lists, in order. */
  lists: Record<'/invoices' | '/receipts' | '/customers', Resource[]>;
  /** The totals of the sales report. */
  sales: { documents: number; total: number };
  ledger: LedgerRow[];
  accepted: Delivered[];
  /** Dead letters of all consumer groups. */
  deadLetters: string[];
}

const kinds = { invoice: '/invoices', receipt: '/receipts', customer: '/customers' } as const;

export async function gather(system: SimulatedSystem, apiKey: string, { acknowledged, keys, errors }: Clients): Promise<Evidence> {
  const { ports } = system.process;
  const get = async <T>(path: string): Promise<T> => {
    const answer = await system.request('GET', path, { authorization: `Bearer ${apiKey}` });
    if (answer.status !== 200) throw new Error(`GET ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  };
  const list = async <T = Resource>(path: string): Promise<T[]> => {
    const found: T[] = [];
    for (let page = 1; ; page += 1) {
      const { data, links } = await get<{ data: T[]; links: { next: string | null } }>(
        `${path}${path.includes('?') ? '&' : '?'}per_page=10&page=${page}`,
      );
      found.push(...data);
      if (links.next === null) return found;
    }
  };

  const streams = Map.groupBy(await allEvents(system), ({ stream }) => stream);
  const resources = new Map<string, Resource>();
  for (const stream of streams.keys()) {
    const path = kinds[stream.slice(0, stream.indexOf('-')) as keyof typeof kinds] as string | undefined;
    const id = stream.slice(stream.lastIndexOf('.') + 1);
    if (path) resources.set(id, await get<Resource>(`${path}/${id}`));
  }
  const payments = new Map<string, Payment[]>();
  for (const { id, amount_paid } of resources.values()) if (amount_paid) payments.set(id, await list<Payment>(`/invoices/${id}/payments`));
  const { totals } = await get<{ totals: { documents: number; total: number }[] }>('/reports/sales');
  const deadLetters: string[] = [];
  for (const group of new Set(ports.bus.groups().map((one) => one.group))) {
    for await (const { _id, error } of deadLettersOf(ports.documents)(group).find({})) deadLetters.push(`${_id}: ${error}`);
  }
  return {
    acknowledged,
    keys,
    errors,
    streams,
    resources,
    payments,
    lists: {
      '/invoices': await list('/invoices'),
      '/receipts': await list('/receipts'),
      '/customers': await list('/customers?deleted=all'),
    },
    sales: totals[0] ?? { documents: 0, total: 0 },
    ledger: system.authority.ledger.page(0, 10_000).data,
    accepted: system.subscriber.accepted,
    deadLetters,
  };
}

async function allEvents(system: SimulatedSystem): Promise<Recorded[]> {
  const events: Recorded[] = [];
  const { promise: read, resolve } = Promise.withResolvers<void>();
  const stop = system.process.ports.eventStore.subscribe('start', async (batch) => {
    events.push(...batch.events);
    if (batch.caughtUp) resolve();
  });
  await read;
  await stop();
  return events;
}
