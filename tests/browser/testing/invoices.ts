import { eventually } from '@svc/testkit';
import type { Call } from './fill.ts';
import type { Visitor } from './visitor.ts';

/** Opens the page of an invoice of two lines, 240.00 in all, that the authority has registered. Returns its id. */
export async function openRegistered({ owner, origin, call }: { owner: Visitor; origin: string; call: Call }): Promise<string> {
  const { id: customer_id } = await call('POST', '/customers', { name: 'Lagertha', address: { country: 'AL' } });
  const items = ['Rope', 'Boat'].map((description) => ({ description, quantity: 2, unit_price: 50, tax_rate: 20 }));
  const { id } = await call('POST', '/invoices', { customer_id, items });
  await call('POST', `/invoices/${String(id)}/submit`);
  const number = await eventually(async () => {
    const invoice = await call('GET', `/invoices/${String(id)}`);
    return invoice['status'] === 'submitted' ? String(invoice['number']) : null;
  }, 'the registration');
  await owner.page.goto(`${origin}/app/invoices/${String(id)}`);
  await owner.heading(number);
  owner.clicks = 0;
  return String(id);
}
