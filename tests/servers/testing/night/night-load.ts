import type { Call } from '@svc/testkit';

/** Users at night: an invoice every second, submitted when it could be created. */
export interface NightLoad {
  /** Ids of the invoices whose submission was answered with success. */
  submitted: string[];
  /** How many requests were answered with this status; 0: not at all. */
  statuses: Map<number, number>;
  stop(): Promise<void>;
}

const item = { description: 'Night shift', quantity: 1, unit_price: 100, tax_rate: 20 };
const EVERY_MS = 1_000;

export async function startNightLoad(api: Call): Promise<NightLoad> {
  const { body: customer } = await api<{ id: string }>('POST', '/customers', { body: { name: 'Night owl' } });
  const [submitted, statuses, underWay] = [[] as string[], new Map<number, number>(), new Set<Promise<void>>()];
  let isOver = false;

  async function ask<T>(path: string, body?: object): Promise<T | undefined> {
    const answer = await api<T>('POST', path, { ...(body && { body }) }).catch(() => undefined);
    const status = answer?.status ?? 0;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    return status >= 200 && status < 300 ? answer?.body : undefined;
  }
  async function submitOne(): Promise<void> {
    const invoice = await ask<{ id: string }>('/invoices', { customer_id: customer.id, items: [item] });
    if (invoice && (await ask(`/invoices/${invoice.id}/submit`))) submitted.push(invoice.id);
  }
  const loop = (async () => {
    while (!isOver) {
      const one = submitOne().finally(() => underWay.delete(one));
      underWay.add(one);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  })();
  return {
    submitted,
    statuses,
    async stop() {
      isOver = true;
      await loop;
      await Promise.all(underWay);
    },
  };
}
