import type { Call } from '@svc/testkit';
import { withRetries, sleep } from '../../e2e/testing/retrying-client.ts';

export interface InvoiceLoad {
  /** Creates and submits `count` invoices, `perSecond` started each second; resolves when all are acknowledged. */
  run(count: number, perSecond: number): Promise<void>;
  /** The number of each acknowledged invoice, by id. */
  acknowledged: Map<string, string>;
  /** Repeats the `n`-th acknowledged creation (from 0) under its key; returns the id of the response. */
  again(n: number): Promise<string>;
}

/** A client of several gateways that repeats unanswered requests at the next gateway under the same Idempotency-Key. */
export function invoiceLoad(calls: readonly Call[], customer: string): InvoiceLoad {
  const body = { customer_id: customer, currency: 'EUR', items: [{ description: 'x', quantity: 1, unit_price: 100, tax_rate: 20 }] };
  const acknowledged = new Map<string, string>();
  let begun = 0;

  const create = (n: number): ReturnType<typeof withRetries> => withRetries(from(n), '/invoices', body, `create-${n}`);
  /** All calls, each time starting with another. */
  const from = (n: number): Call[] => [...calls.slice(n % calls.length), ...calls.slice(0, n % calls.length)];

  async function one(n: number): Promise<void> {
    const { id } = await create(n);
    const { number } = await withRetries(from(n + 1), `/invoices/${id}/submit`, undefined, `submit-${n}`);
    acknowledged.set(id, number);
  }

  return {
    acknowledged,
    async run(count, perSecond) {
      const first = begun;
      begun += count;
      const all = Array.from({ length: count }, async (_, n) => {
        await sleep((n * 1000) / perSecond);
        await one(first + n);
      });
      await Promise.all(all);
    },
    again: async (n) => (await create(n)).id,
  };
}
