// The first steps of an account: a customer, an invoice, its fiscal code, and the webhook that says so.
import { setTimeout as sleep } from 'node:timers/promises';

const item = { description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20 };

/** Asks every 250 ms until the answer is truthy, and gives it. */
export async function eventually(what, probe, seconds = 60) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(250)) {
    const answer = await probe().catch(() => undefined);
    if (answer) return answer;
  }
  throw new Error(`${what}: not within ${seconds} s`);
}

/**
 * @param {ReturnType<typeof import('./load.mjs').clientOf>} call
 * @param {Awaited<ReturnType<typeof import('./receiver.mjs').startReceiver>>} receiver
 */
export async function toFiscalCode(call, receiver) {
  const endpoint = await call('POST', '/webhooks', { url: `${receiver.origin}/hook`, events: ['invoice.submitted'], description: 'Test' });
  const customer = await call('POST', '/customers', { name: 'Blue Door Books' });
  const submitted = await anotherCode(call, customer.id);
  await eventually('a webhook with a valid signature', async () => receiver.received(endpoint.secret).has(submitted.id));
  return { customer: customer.id, registered: submitted.id };
}

/** A new invoice, with its fiscal code. */
export async function anotherCode(call, customer) {
  const draft = await call('POST', '/invoices', { customer_id: customer, currency: 'EUR', items: [item] });
  await call('POST', `/invoices/${draft.id}/submit`, undefined, { prefer: 'wait=10' });
  return eventually('a fiscal code', async () => {
    const invoice = await call('GET', `/invoices/${draft.id}`);
    return invoice.fiscal_code && invoice;
  });
}
