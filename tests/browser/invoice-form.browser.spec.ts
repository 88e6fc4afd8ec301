import { type Call, HOSTILE } from './testing/fill.ts';
import { invoiceForm } from './testing/invoices.ts';
import { looksRight } from './testing/looks.ts';
import type { Visitor } from './testing/visitor.ts';
import { withOwner } from './testing/with-owner.ts';

let owner: Visitor;
let origin: string;
let call: Call;
let customer: string;
withOwner(async (opened) => {
  ({ owner, origin, call } = opened);
  const made = await call('POST', '/customers', { name: 'Lagertha & Söhne GmbH', email: 'books@example.com' });
  customer = String(made['id']);
  await call('POST', '/customers', { name: HOSTILE });
  await call('POST', '/products', { name: 'Rope, 10 m', sku: 'ROPE-10', unit: 'C62', unit_price: 12.345, currency: 'EUR', tax_rate: 20 });
});

/** From the customer to the first line. */
const MOST_STOPS = 12;

const open = async (path: string, heading: string | RegExp): Promise<void> => {
  await owner.page.goto(origin + path);
  await owner.heading(heading);
};
const { field, begin, customerField } = invoiceForm(() => ({ owner, origin }));
const draft = (...items: object[]) => call('POST', '/invoices', { customer_id: customer, items });
const line = (n: number, to: object = {}) => ({ description: `Line ${n}`, quantity: 1, unit_price: 10, tax_rate: 20, ...to });

test('an invoice of three lines is issued by keyboard alone, with live totals and explained rounding', async () => {
  await open('/app/invoices', 'Invoices');
  const { keyboard } = owner.page;
  await owner.page.getByRole('link', { name: 'New invoice' }).first().focus();
  const began = Date.now();
  await keyboard.press('Enter');
  await owner.heading('New invoice');
  await customerField().and(owner.page.locator(':focus')).waitFor();
  await keyboard.type('lager');
  await owner.page.getByRole('option', { name: /Lagertha/ }).waitFor();
  await keyboard.press('Enter');
  const isAt = (name: string): Promise<boolean> => owner.page.evaluate(`document.activeElement.ariaLabel === '${name}'`);
  // A field for a day has a stop for each of its parts.
  for (let n = 0; n < MOST_STOPS && !(await isAt('Description, line 1')); n += 1) await keyboard.press('Tab');
  const rest = async (quantity: string, price: string): Promise<void> => {
    await keyboard.press('Tab');
    await keyboard.type(quantity);
    await keyboard.press('Tab');
    await keyboard.type(price);
    await keyboard.press('Enter');
  };
  await keyboard.type('Consulting');
  await rest('3', '33.335');
  await keyboard.type('rope');
  await owner.page.getByRole('option', { name: /Rope/ }).waitFor();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await keyboard.press('Enter');
  await keyboard.type('Travel');
  await rest('1', '19.99');
  await owner.sees('EUR 158.82');
  const explain = owner.page.getByText('How it was calculated');
  await explain.focus();
  await keyboard.press('Enter');
  await owner.sees('3 × 33.335');
  await looksRight(owner, 'invoice-form');
  // One's own changes are none of another person, not for an instant.
  await owner.page.evaluate(`new MutationObserver(() => { window.saidTheirs ||= document.body.innerText.includes('while you edit it'); })
    .observe(document.body, { childList: true, subtree: true })`);
  await keyboard.press('Control+Shift+Enter');
  await owner.heading(/^INV-/);
  console.log(`an invoice of three lines by keyboard: ${Date.now() - began} ms, pictures included`);
  await owner.sees('EUR 158.82');
  expect(await owner.page.evaluate('window.saidTheirs ?? false')).toBe(false);
});

test('in live what is typed is only calculated: before the first write the person is asked, and an Enter says no', async () => {
  await open('/app/invoices/new?live=true', 'New invoice');
  const dialog = owner.page.getByRole('dialog', { name: 'This changes live data' });
  const { keyboard } = owner.page;
  await field('Description, line 1').fill('Consulting');
  for (const [n, price] of ['10', '20', '30'].entries()) {
    await field(`Price, line ${n + 1}`).fill(price);
    await keyboard.press('Enter');
    await field(`Description, line ${n + 2}`).waitFor();
  }
  await owner.sees('EUR 60.00');
  expect(await dialog.count()).toBe(0);
  await owner.press('button', 'Save and submit');
  await dialog.waitFor();
  await looksRight(owner, 'live-write');
  await keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await owner.press('button', 'Save and submit');
  await dialog.waitFor();
  await keyboard.press('Escape');
});

test('errors of the interface stand at their fields, and the first has the focus', async () => {
  await begin();
  await customerField().fill('lager');
  await field('Description, line 1').fill('Rope');
  await field('Quantity, line 1').fill('0');
  await field('Price, line 1').fill('many');
  await owner.press('button', 'Save as a draft');
  await customerField().and(owner.page.locator('[aria-invalid=true]:focus')).waitFor();
  expect(await field('Price, line 1').getAttribute('aria-invalid')).toBe('true');
  expect(await field('Quantity, line 1').getAttribute('aria-invalid')).toBe('true');
  await owner.sees('Choose one of the list.');
  await looksRight(owner, 'invoice-form-errors');
});

test('a customer is made where it is needed, whatever its name holds', async () => {
  await begin();
  await customerField().fill('<b>Bolt</b> & Sons');
  await owner.press('option', 'New customer “<b>Bolt</b> & Sons”');
  const dialog = owner.page.getByRole('dialog');
  await dialog.getByLabel('Country').fill('xx');
  await dialog.getByRole('button', { name: 'Create the customer' }).click();
  await dialog.locator('[aria-invalid=true]').waitFor();
  await looksRight(owner, 'invoice-form-customer');
  await dialog.getByLabel('Country').fill('');
  await dialog.getByRole('button', { name: 'Create the customer' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await customerField().inputValue()).toBe('<b>Bolt</b> & Sons');
  await field('Description, line 1').fill(HOSTILE);
  await field('Price, line 1').fill('1');
  await field('Notes').fill(HOSTILE);
  await owner.page.getByRole('button', { name: 'Unit, taxes, discounts, line 1' }).click();
  await looksRight(owner, 'invoice-form-hostile');
  await owner.press('button', 'Save as a draft');
  await owner.heading('Invoice, draft');
});

test('two people who edit one draft see each other, and what both changed is kept', async () => {
  const { id } = await draft(line(1));
  await open(`/app/invoices/${String(id)}/edit`, /^Edit/);
  await field('Quantity, line 1').fill('7');
  await call('PATCH', `/invoices/${String(id)}`, { notes: 'Written by a program' });
  await owner.press('button', 'Save as a draft');
  await owner.sees('Notes: ');
  await owner.sees('Written by a program');
  await looksRight(owner, 'invoice-form-theirs');
  await owner.press('button', 'Keep mine on top');
  await owner.press('button', 'Save as a draft');
  await owner.heading('Invoice, draft');
  expect(await call('GET', `/invoices/${String(id)}`)).toMatchObject({ notes: 'Written by a program', items: [{ quantity: 7 }] });
});

test('a copy is a form with the lines of the other one, and no draft yet', async () => {
  const taxes = [
    { category: 'VAT', rate: 20 },
    { category: 'IRPF', rate: 15, retained: true },
  ];
  const { id } = await draft(line(1), line(2, { discounts: [{ percent: 5 }], tax_rate: undefined, taxes }));
  await open(`/app/invoices/${String(id)}`, 'Invoice, draft');
  await owner.press('button', 'More');
  await owner.press('menuitem', 'Duplicate');
  await owner.heading('New invoice');
  expect(await field('Description, line 2').inputValue()).toBe('Line 2');
  // What the customer pays: 23.40 less what is retained.
  await owner.sees('EUR 21.97');
  await owner.press('button', 'Save as a draft');
  await owner.heading('Invoice, draft');
  expect(owner.page.url()).not.toContain(String(id));
});

test('a form of 500 lines takes every key press, in any of its fields', async () => {
  const { id } = await draft(...Array.from({ length: 500 }, (_, n) => line(n + 1)));
  await open(`/app/invoices/${String(id)}/edit`, /^Edit/);
  await field('Description, line 500').waitFor();
  await owner.sees('EUR 6,000.00');
  for (const name of ['Description, line 1', 'Price, line 250', 'Quantity, line 500', 'Notes']) {
    // Not the list that opens below it.
    const cell = field(name).and(owner.page.locator('input, textarea'));
    const before = await cell.inputValue();
    await cell.press('End');
    await owner.page.keyboard.type('1234567890');
    expect([name, await cell.inputValue()]).toEqual([name, `${before}1234567890`]);
  }
});

test('no page did what its policy forbids, and the browser keeps nothing', async () => {
  expect(owner.faults).toEqual([]);
  expect(await owner.kept()).toEqual([]);
});
