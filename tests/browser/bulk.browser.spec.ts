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

test('an invoice that is refused is named in the queue by whom it is for, with what to do and the way to it', async () => {
  const { id: customer_id } = await call('POST', '/customers', { name: 'Erased' });
  await call('POST', '/invoices', { customer_id, items: [{ description: 'Boat', unit_price: 100, tax_rate: 20 }] });
  await call('DELETE', `/customers/${String(customer_id)}`);
  await owner.page.goto(`${origin}/app/invoices?status=draft`);
  await owner.press('button', 'Choose the one on this page');
  await owner.press('button', 'Submit 1 invoice');
  await owner.press('button', 'Submit them');
  await owner.heading('Submissions');
  const refused = owner.page.getByRole('link', { name: 'Invoice, draft · Erased' });
  await refused.waitFor({ timeout: 60_000 });
  expect(await owner.page.getByRole('listitem').filter({ has: refused }).innerText()).toMatch(/: .*customer/i);
  await looksRight(owner, 'submissions-refused');
  await refused.click();
  await owner.heading('Invoice, draft');
});

test('a queue is stopped: what was not submitted stays a draft', async () => {
  const { id: customer_id } = await call('POST', '/customers', { name: 'Rollo' });
  for (let n = 0; n < 15; n += 1)
    await call('POST', '/invoices', { customer_id, items: [{ description: 'Boat', unit_price: 100, tax_rate: 20 }] });
  await owner.page.goto(`${origin}/app/invoices?status=draft&q=`);
  await owner.press('button', /^Choose all \d+ on this page/);
  await owner.press('button', /^Submit \d+ invoices/);
  await owner.press('button', 'Submit them');
  await owner.heading('Submissions');
  const row = owner.page.getByRole('row', { name: /Under way|Waits/ });
  await looksRight(owner, 'submissions-moving');
  await row.getByRole('button', { name: 'Stop' }).click();
  await owner.sees('A member has ended this before it was done.');
  await row.waitFor({ state: 'detached' });
  const drafts = (await call('GET', '/invoices?status=draft'))['meta'] as { total: number };
  expect(drafts.total).toBeGreaterThan(0);
});

test('no page did what its policy forbids', () => expect(owner.faults).toEqual([]));
