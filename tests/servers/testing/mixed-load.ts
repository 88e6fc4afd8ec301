import { sleep } from '../../e2e/testing/retrying-client.ts';
import type { SteadyClient } from './steady-client.ts';

export interface MixedLoad {
  /** Stops the load and waits for requests in flight. */
  stop(): Promise<void>;
  sent(): number;
  /** The slowest response: what, when and for how long (ms). A request beyond the client's timeout has failed, see `SteadyClient`. */
  longest(): string;
  /** Failed requests: what, when (ms since the start) and why. */
  failed: string[];
  /** Acknowledged invoices, and submitted ones. */
  created: string[];
  submitted: Set<string>;
}

type Step = (n: number) => Promise<unknown>;

/** Minimum share of the request rate, whatever else the machine has to do. */
const LEAST = 0.1;
/** A response slower than this shows an overloaded machine, in milliseconds. */
const SLOW_MS = 1_000;

/**
 * Creates, submits, reads, lists and reports one customer's invoices continuously: `perSecond` requests after a ramp-up of `riseMs`, because
 * programs are slow just after their start, or as many as the machine answers in time. It shares the processors with the servers and starting programs.
 */
export function startMixedLoad(
  client: SteadyClient,
  customer: string,
  { perSecond, riseMs }: { perSecond: number; riseMs: number },
): MixedLoad {
  const started = performance.now();
  const failed: string[] = [];
  const created: string[] = [];
  const drafts: string[] = [];
  const submitted = new Set<string>();
  /** With the time of sending. */
  const inFlight = new Map<Promise<void>, number>();
  let sent = 0;
  let stopping = false;
  let slow = false;
  let longest = { what: 'none', at: 0, took: 0 };

  async function ask<T>(method: string, path: string, more?: Parameters<SteadyClient['send']>[2]): Promise<T | undefined> {
    const at = Math.round(performance.now() - started);
    const answer = await client.send(method, path, more).catch((error: Error) => error);
    const took = Math.round(performance.now() - started) - at;
    if (took > longest.took) longest = { what: `${method} ${path}`, at, took };
    if ('status' in answer && answer.status < 300) return JSON.parse(answer.text) as T;
    failed.push(`${at}: ${method} ${path}: ${'status' in answer ? `${answer.status} ${answer.text.slice(0, 300)}` : String(answer)}`);
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
  /** One request in fifty is a report, the most expensive one. */
  const step = (n: number): Promise<unknown> => (n % 50 === 49 ? report : (steps[n % steps.length] as Step))(n);

  const send = (): void => {
    const at = performance.now();
    const one: Promise<void> = step(sent).then(() => {
      inFlight.delete(one);
      const took = performance.now() - at;
      slow ||= took > SLOW_MS;
    });
    inFlight.set(one, at);
    sent += 1;
  };

  const sending = (async () => {
    let [rate, due, last, judged] = [perSecond * LEAST, 0, started, started];
    while (!stopping) {
      await sleep(5);
      const now = performance.now();
      for (due += (rate * (now - last)) / 1000; due >= 1; due -= 1) send();
      last = now;
      if (now - judged < 1000) continue;
      const [oldest = now] = inFlight.values();
      const share = slow || now - oldest > SLOW_MS ? -0.3 * rate : (perSecond * 1000) / riseMs;
      rate = Math.min(perSecond, Math.max(perSecond * LEAST, rate + share));
      judged = now;
      slow = false;
    }
    await Promise.all(inFlight.keys());
  })();

  return {
    async stop() {
      stopping = true;
      await sending;
    },
    sent: () => sent,
    longest: () => `${longest.what} at ${longest.at} ms took ${longest.took} ms`,
    failed,
    created,
    submitted,
  };
}
