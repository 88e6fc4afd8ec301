import { eventually } from '@svc/testkit';
import type { Locator } from 'playwright-core';
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

/** The form of a new invoice, as the owner sees it. */
export function invoiceForm(of: () => { owner: Visitor; origin: string }) {
  const field = (name: string): Locator => of().owner.page.getByLabel(name, { exact: true });
  return {
    field,
    customerField: (): Locator => of().owner.page.getByRole('combobox', { name: 'Customer' }),
    /** Opens an empty one, whatever a test before has left. */
    async begin(): Promise<void> {
      const { owner, origin } = of();
      await owner.page.goto(`${origin}/app/invoices/new`);
      await owner.heading('New invoice');
      const left = owner.page.getByRole('button', { name: 'Discard it and begin anew' });
      await left.or(field('Description, line 1')).first().waitFor();
      if (await left.isVisible()) await left.click();
      await field('Description, line 1').waitFor();
    },
  };
}
