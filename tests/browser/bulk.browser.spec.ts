import { eventually } from '@svc/testkit';
import { type Call, HOSTILE } from './testing/fill.ts';
import { looksRight } from './testing/looks.ts';
import type { Visitor } from './testing/visitor.ts';
import { withOwner } from './testing/with-owner.ts';

let owner: Visitor;
let origin: string;
let call: Call;
withOwner(async (opened) => {
  ({ owner, origin, call } = opened);
  for (const name of ['Lagertha', 'Floki', HOSTILE]) {
    const { id: customer_id } = await call('POST', '/customers', { name });
    await call('POST', '/invoices', { customer_id, items: [{ description: 'Boat', unit_price: 100, tax_rate: 20 }] });
  }
});

const chosen = () => owner.page.getByRole('checkbox', { checked: true }).count();

test('drafts are chosen in the list and submitted together, in a queue that is seen after a reload', async () => {
  await owner.page.goto(`${origin}/app/invoices`);
  await owner.heading('Invoices');
  await owner.page.getByRole('checkbox', { name: 'Choose Floki' }).focus();
  await owner.page.keyboard.press('Space');
  // The focus stays where it is.
  await owner.page.getByRole('checkbox', { name: 'Choose Floki', checked: true }).and(owner.page.locator(':focus')).waitFor();
  expect(await chosen()).toBe(1);
  await owner.press('button', 'Choose all 3 on this page');
  expect(await chosen()).toBe(3);
  await looksRight(owner, 'invoices-chosen');
  await owner.press('button', 'Submit 3 invoices');
  await owner.page.getByRole('dialog', { name: 'Submit 3 invoices?' }).waitFor();
  await owner.press('button', 'Submit them');
  await owner.heading('Submissions');
  await owner.page.reload();
  await owner.page.getByRole('row', { name: /Done.*3 of 3/ }).waitFor({ timeout: 60_000 });
  await looksRight(owner, 'submissions');
  await eventually(async () => {
    const { data } = (await call('GET', '/invoices')) as { data: { status: string }[] };
    return data.every(({ status }) => status === 'submitted');
  }, 'the registrations');
});

test('an invoice that is refused is named in the queue, with the way to it', async () => {
  const { id: customer_id } = await call('POST', '/customers', { name: 'Erased' });
  const { id } = await call('POST', '/invoices', { customer_id, items: [{ description: 'Boat', unit_price: 100, tax_rate: 20 }] });
  await call('DELETE', `/customers/${String(customer_id)}`);
  await owner.page.goto(`${origin}/app/invoices?status=draft`);
  await owner.press('button', 'Choose the one on this page');
  await owner.press('button', 'Submit 1 invoice');
  await owner.press('button', 'Submit them');
  await owner.heading('Submissions');
  const refused = owner.page.getByRole('link', { name: new RegExp(String(id)) });
  await refused.waitFor({ timeout: 60_000 });
  await looksRight(owner, 'submissions-refused');
  await refused.click();
  await owner.heading('Invoice, draft');
});

test('no page did what its policy forbids', () => expect(owner.faults).toEqual([]));
