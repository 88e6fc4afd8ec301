import type { System } from '@svc/testkit';

/** A name that must stay a name: markup, a right-to-left mark, a word that is wider than a phone. */
export const HOSTILE = `<img src=x onerror=alert(1)>\u202e${'W'.repeat(60)}`;

export type Call = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;

/** Calls the interface with the test key of the first start. */
export const caller =
  ({ url, setup }: System): Call =>
  (method, path, body) =>
    send(method, `${url}/v1${path}`, setup.test_key, body);

async function send(method: string, to: string, token: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(to, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return (await answer.json()) as Record<string, unknown>;
}

/** What the pages show: in the test environment an endpoint at `receiver`, a customer, invoices in several states, requests that were refused, a key with a hostile name. */
export async function fill(system: System, receiver: string): Promise<void> {
  const { ops, setup } = system;
  const call = caller(system);
  await call('POST', '/webhooks', { url: `${receiver}/hook`, events: ['invoice.submitted'], description: 'Shop' });
  const { id: customer_id } = await call('POST', '/customers', { name: 'Lagertha & Söhne GmbH', email: 'books@example.com' });
  const invoice = async (metadata: object, unit_price: number): Promise<void> => {
    const items = [{ description: 'Consulting', quantity: 2, unit_price, tax_rate: 20 }];
    const { id } = await call('POST', '/invoices', { customer_id, items, metadata });
    await call('POST', `/invoices/${String(id)}/submit`);
  };
  for (const [n, simulate] of ['accept', 'reject', 'reject', 'accept', 'lost_reply'].entries())
    await invoice({ simulate }, 120.5 * (n + 1));
  await call('POST', '/invoices', { customer_id, items: [] });
  await call('POST', '/invoices', { items: [{ quantity: 0 }] });
  await call('GET', `/invoices/${'x'.repeat(80)}`);
  const key = { name: HOSTILE, livemode: false, permissions: ['invoices:read', 'receipts:read', 'webhooks:read'] };
  await send('POST', `${ops}/admin/accounts/${setup.account_id}/keys`, setup.admin_token, key);
}
