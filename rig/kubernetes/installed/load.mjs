// Requests at a steady rate to the gateway's Service, each on a connection of its own, so that kube-proxy hands it to any pod.
import { setTimeout as sleep } from 'node:timers/promises';

export const PER_SECOND = 20;
/** As long as many clients wait. The pods share the processors with the sender, the servers and the node. */
const TIMEOUT_MS = 30_000;
const LATE_MS = 3_000;
const item = { description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20 };

/** A client of the interface with one account's key. Throws unless the response is 2xx. */
export const clientOf = (origin, key) => async (method, path, body, headers) => {
  const response = await fetch(`${origin}/v1${path}`, {
    method,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { authorization: `Bearer ${key}`, connection: 'close', ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.error?.code}`);
  return answer;
};

/**
 * Starts the load. It creates and submits invoices and reads what each service serves.
 *
 * @param {ReturnType<typeof clientOf>} call
 * @param {{ customer: string, registered: string }} account a customer, and an invoice with its fiscal code
 * @param {number} [perSecond] requests
 */
export function startLoad(call, { customer, registered }, perSecond = PER_SECOND) {
  const drafts = [];
  const submitted = [];
  const create = async () => drafts.push((await call('POST', '/invoices', { customer_id: customer, currency: 'EUR', items: [item] })).id);
  const submit = async () => {
    const id = drafts.shift();
    if (id === undefined) return create();
    await call('POST', `/invoices/${id}/submit`);
    submitted.push(id);
  };
  /** [service that answers, request]; the next one each time. */
  const kinds = [
    ['invoicing', create],
    ['gateway', () => call('GET', '/account')],
    ['invoicing', submit],
    ['webhooks-dispatcher', () => call('GET', '/webhooks')],
    ['invoicing', create],
    ['reporting', () => call('GET', '/reports/sales')],
    ['invoicing', () => call('GET', '/invoices?per_page=10')],
    ['fiscal-submission', () => call('GET', `/invoices/${registered}/attempts`)],
    ['invoicing', submit],
    ['webhooks-dispatcher', () => call('GET', '/events?per_page=10')],
  ];
  const failed = {};
  const pending = new Set();
  let [sent, slowest, late, on] = [0, 0, 0, true];

  async function send([service, request]) {
    const started = performance.now();
    try {
      await request();
    } catch (error) {
      (failed[service] ??= []).push(`${new Date().toISOString().slice(11, 23)} ${error.cause?.code ?? error.message}`);
    }
    const ms = Math.round(performance.now() - started);
    slowest = Math.max(slowest, ms);
    if (ms > LATE_MS) late += 1;
  }

  const running = (async () => {
    const started = performance.now();
    for (; on; sent += 1) {
      const one = send(kinds[sent % kinds.length]).finally(() => pending.delete(one));
      pending.add(one);
      await sleep(Math.max(0, started + ((sent + 1) * 1000) / perSecond - performance.now()));
    }
    await Promise.all(pending);
  })();

  return {
    /** Ends it; resolves to what happened. */
    async stop() {
      on = false;
      await running;
      return { sent, failed, slowest, late, submitted };
    },
  };
}
