import { eventually } from '@svc/testkit';
import type { Call } from './testing/fill.ts';
import { openRegistered } from './testing/invoices.ts';
import { looksRight } from './testing/looks.ts';
import type { Visitor } from './testing/visitor.ts';
import { withOwner } from './testing/with-owner.ts';

let owner: Visitor;
let origin: string;
let call: Call;
withOwner((opened) => void ({ owner, origin, call } = opened));

const dialog = () => owner.page.getByRole('dialog');
const read = (id: string) => call('GET', `/invoices/${id}`);

const registered = (): Promise<string> => openRegistered({ owner, origin, call });

test('a payment is recorded by one click and the form, and reversed by two', async () => {
  const id = await registered();
  await owner.press('button', 'Record a payment');
  expect(await dialog().getByLabel('Amount, EUR').inputValue()).toBe('240');
  await dialog().getByLabel('Amount, EUR').fill('1000');
  await dialog().getByLabel('Amount, EUR').press('Enter');
  await dialog().locator('[aria-invalid=true]').waitFor();
  await looksRight(owner, 'payment-form');
  await dialog().getByLabel('Amount, EUR').fill('100');
  await dialog().getByLabel('Reference').fill('Bank 17');
  await dialog().getByLabel('Reference').press('Enter');
  await owner.sees('EUR 140.00 is open.');
  expect(owner.clicks).toBe(1);
  expect(await read(id)).toMatchObject({ amount_paid: 100, payment_status: 'partial' });
  await looksRight(owner, 'invoice-paid');

  owner.clicks = 0;
  await owner.press('button', 'Reverse');
  await dialog().getByRole('button', { name: 'Reverse' }).click();
  await owner.sees('EUR 240.00 is open.');
  expect(owner.clicks + 1).toBe(2);
  expect(await read(id)).toMatchObject({ amount_paid: 0, payment_status: 'unpaid' });
});

test('one line of an invoice is credited by three clicks and the form', async () => {
  const id = await registered();
  await owner.press('link', 'Credit');
  await owner.heading(/^Credit note of/);
  await owner.page.getByLabel('Boat').check();
  await owner.page.getByLabel('Quantity to credit, line 2').fill('5');
  await owner.page.getByRole('button', { name: 'Save and submit' }).click();
  await owner.sees('Of this line 2 is left to be credited.');
  await looksRight(owner, 'credit-form-wrong');
  await owner.page.getByLabel('Quantity to credit, line 2').fill('1');
  await owner.sees('EUR 60.00');
  await looksRight(owner, 'credit-form');
  await owner.press('button', 'Save and submit');
  await owner.heading(/^CN-/);
  await owner.page.getByRole('link', { name: String((await read(id))['number']), exact: true }).waitFor();
  expect(owner.clicks + 1).toBeLessThanOrEqual(3);
  await eventually(async () => (await read(id))['amount_credited'] === 60, 'the credit');
  await owner.press('link', String((await read(id))['number']));
  await owner.page.getByText('Corrected by').waitFor();
  await owner.press('link', /^CN-/);
  await owner.heading(/^CN-/);
  await owner.page.goto(`${origin}/app/invoices/${id}/credit`);
  await owner.sees(/1 credited$/);
  await owner.page.getByLabel('Boat').check();
  expect(await owner.page.getByLabel('Quantity to credit, line 2').inputValue()).toBe('1');
});

test('an invoice of which all is credited offers no credit note, and says why', async () => {
  const id = await registered();
  const { customer_id, items } = await read(id);
  const { id: note } = await call('POST', '/invoices', { type: 'credit_note', corrects: id, customer_id, items });
  await call('POST', `/invoices/${String(note)}/submit`);
  await eventually(async () => (await read(id))['amount_credited'] === 240, 'the credit');
  await owner.page.reload();
  await owner.sees('Nothing is open.');
  expect(await owner.page.getByRole('link', { name: 'Credit', exact: true }).count()).toBe(0);
  await owner.press('button', 'More');
  await owner.sees('Nothing is left to be credited.');
  await looksRight(owner, 'invoice-credited');
  await owner.page.goto(`${origin}/app/invoices/${id}/credit`);
  await owner.sees('Nothing of it can be credited');
  await looksRight(owner, 'credit-closed');
});

test('a corrective invoice states a difference', async () => {
  await registered();
  await owner.press('button', 'More');
  await owner.press('menuitem', 'Corrective invoice');
  await owner.heading(/^Corrective invoice of/);
  await owner.page.getByLabel('Description, line 1').fill('Rope, one less');
  await owner.page.getByLabel('Quantity, line 1').fill('-1');
  await owner.page.getByLabel('Price, line 1').fill('50');
  await owner.sees('-EUR 60.00');
  await looksRight(owner, 'corrective-form');
  await owner.press('button', 'Save and submit');
  await owner.heading(/^COR-/);
});

test('an invoice is voided by three clicks and its reason', async () => {
  const id = await registered();
  await owner.press('button', 'More');
  await owner.press('menuitem', 'Void');
  await dialog().getByLabel('Reason').fill('Issued twice');
  await dialog().getByRole('button', { name: 'Void' }).click();
  expect(owner.clicks + 1).toBe(3);
  await eventually(async () => (await read(id))['status'] === 'voided', 'the void');
});

test('no page did what its policy forbids', () => expect(owner.faults).toEqual([]));
