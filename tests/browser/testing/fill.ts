import type { System } from '@svc/testkit';

/** What the pages show: in the test environment a customer, invoices in several states, requests that were refused. */
export async function fill({ url, setup }: System): Promise<void> {
  const call = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${setup.test_key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return (await answer.json()) as Record<string, unknown>;
  };
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
  await call('GET', '/invoices/inv_none');
}
