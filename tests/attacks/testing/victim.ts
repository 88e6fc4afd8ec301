// The victim of an attack, in a thread of its own: requests that the attacker's client serializes and parses by the hundred do not delay it.
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { client, type Answer } from '@svc/testkit/client';
import { startReceiver } from '@svc/testkit/receiver';

/** What the thread is started with. */
export interface VictimOptions {
  pauseMs: number;
  /** A webhook that does not come for this long is an error. */
  mostMs: number;
}

/** `begin`: typical requests of this account, one after the other, until `end`; webhooks that are on their way then are waited for. */
export type Order = { order: 'begin'; url: string; key: string; customer: string } | { order: 'end' } | { order: 'close' };

/** `origin`: where the victim receives webhooks. */
export type Report = { origin: string } | { seen: Measured } | { error: string } | { closed: true };

/** In milliseconds. */
export interface Measured {
  requests: number;
  slowest: { what: string; ms: number };
  webhooks: number;
  slowestWebhook: number;
}

const { pauseMs, mostMs } = workerData as VictimOptions;
const port = parentPort as MessagePort;
const report = (one: Report): void => port.postMessage(one);
let isOver = false;

const hook = await startReceiver();
report({ origin: hook.origin });
port.on('message', (given: Order) => {
  if (given.order === 'end') isOver = true;
  else if (given.order === 'close') void hook.close().then(() => report({ closed: true }));
  else {
    isOver = false;
    measure(given).then(
      (seen) => report({ seen }),
      (error: Error) => report({ error: error.message }),
    );
  }
});

async function measure({ url, key, customer }: Extract<Order, { order: 'begin' }>): Promise<Measured> {
  const call = client(url, key);
  const seen: Measured = { requests: 0, slowest: { what: '', ms: 0 }, webhooks: 0, slowestWebhook: 0 };
  const asked = async (what: string, ok: number, work: () => Promise<Answer>): Promise<Answer> => {
    const started = performance.now();
    const answer = await work();
    const ms = performance.now() - started;
    if (answer.status !== ok) throw new Error(`the victim's ${what} answered ${answer.status} ${answer.text}`);
    seen.requests += 1;
    if (ms > seen.slowest.ms) seen.slowest = { what, ms };
    return answer;
  };
  const waiting = new Map<string, number>();
  while (!isOver || waiting.size > 0) {
    const body = { customer_id: customer, items: [{ description: 'Coffee', unit_price: 3 }] };
    const made = await asked('POST /invoices', 201, () => call('POST', '/invoices', { body }));
    const { id } = made.body as { id: string };
    waiting.set(id, Date.now());
    await asked('GET /invoices/{id}', 200, () => call('GET', `/invoices/${id}`));
    const list = await asked('GET /invoices', 200, () => call('GET', '/invoices'));
    if ((list.body as { data: { id: string }[] }).data[0]?.id !== id) throw new Error("the victim's list misses its newest invoice");
    for (const { at, body: event } of hook.deliveries.splice(0)) {
      const since = waiting.get(event.data.id);
      if (since === undefined) continue;
      waiting.delete(event.data.id);
      seen.webhooks += 1;
      seen.slowestWebhook = Math.max(seen.slowestWebhook, at - since);
    }
    if (Date.now() - Math.min(...waiting.values()) > mostMs) throw new Error(`a webhook of the victim has not come for ${mostMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return seen;
}
