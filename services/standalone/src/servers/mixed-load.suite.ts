import { sleep } from '../e2e/persistent-client.suite.ts';
import type { SteadyClient } from './steady-client.suite.ts';

export interface MixedLoad {
  /** Ends it and waits for what is in flight. */
  stop(): Promise<void>;
  sent(): number;
  /** Every request that was not answered with success: what, when (ms since the start) and why. */
  failed: string[];
  /** The invoices that were acknowledged, and those that were submitted. */
  created: string[];
  submitted: Set<string>;
}

/** Milliseconds at the full rate that bring as many requests as so many since the start. */
const risen = (ms: number): number => (ms < RISE_MS ? ms ** 2 / (2 * RISE_MS) : ms - RISE_MS / 2);

type Step = (n: number) => Promise<unknown>;

/** The load rises so long: programs that have just started are slow at first, and what is told of here is a system at work. */
export const RISE_MS = 30_000;

/** After the rise so many requests a second, without a pause: creates, submits, gets, lists and reports of one customer's invoices. */
export function startMixedLoad(client: SteadyClient, customer: string, perSecond: number): MixedLoad {
  const started = performance.now();
  const failed: string[] = [];
  const created: string[] = [];
  const drafts: string[] = [];
  const submitted = new Set<string>();
  const inFlight = new Set<Promise<void>>();
  let sent = 0;
  let stopping = false;

  async function ask<T>(method: string, path: string, more?: Parameters<SteadyClient['send']>[2]): Promise<T | undefined> {
    const at = Math.round(performance.now() - started);
    const told = await client.send(method, path, more).catch((error: Error) => error);
    if ('status' in told && told.status < 300) return JSON.parse(told.text) as T;
    failed.push(`${at}: ${method} ${path}: ${'status' in told ? `${told.status} ${told.text.slice(0, 300)}` : String(told)}`);
    return undefined;
  }
  const create: Step = async (n) => {
    const items = [{ description: 'x', quantity: 1, unit_price: 100, tax_rate: 20 }];
    const headers: Record<string, string> = n % 2 === 0 ? { 'idempotency-key': `rolling-${n}` } : {};
    const invoice = await ask<{ id: string }>('POST', '/invoices', { body: { customer_id: customer, currency: 'EUR', items }, headers });
    if (!invoice) return;
    created.push(invoice.id);
    drafts.push(invoice.id);
  };
  const submit: Step = async () => {
    const id = drafts.shift();
    if (id === undefined) return list(0);
    if (await ask('POST', `/invoices/${id}/submit`)) submitted.add(id);
  };
  const get: Step = (n) => (created.length === 0 ? list(n) : ask('GET', `/invoices/${created[(n * 7919) % created.length]}`));
  const list: Step = () => ask('GET', '/invoices?per_page=10');
  const report: Step = () => ask('GET', '/reports/sales');
  const steps: Step[] = [create, get, submit, list, create, get, submit, get, create, get];
  /** One in fifty is a report: they are the dear ones. */
  const step = (n: number): Promise<unknown> => (n % 50 === 49 ? report : (steps[n % steps.length] as Step))(n);

  const sending = (async () => {
    while (!stopping) {
      const due = Math.floor((risen(performance.now() - started) / 1000) * perSecond);
      for (; sent < due; sent += 1) {
        const one: Promise<void> = step(sent).then(() => void inFlight.delete(one));
        inFlight.add(one);
      }
      await sleep(5);
    }
    await Promise.all(inFlight);
  })();

  return {
    async stop() {
      stopping = true;
      await sending;
    },
    sent: () => sent,
    failed,
    created,
    submitted,
  };
}
