import { eventually } from '@svc/testkit';
import { type Call, HOSTILE } from './testing/fill.ts';
import { looksRight } from './testing/looks.ts';
import { provesIfAsked } from './testing/owner.ts';
import type { Visitor } from './testing/visitor.ts';
import { withOwner } from './testing/with-owner.ts';

let owner: Visitor;
let origin: string;
let call: Call;
withOwner(async (opened) => {
  ({ owner, origin, call } = opened);
  const address = { line1: HOSTILE, city: HOSTILE, country: 'AL' };
  await call('POST', '/customers', { name: HOSTILE, email: 'hostile@example.com', address });
  await call('POST', '/products', { name: HOSTILE, description: HOSTILE, sku: HOSTILE, unit_price: 1, currency: 'EUR' });
});

const open = async (path: string, heading: string | RegExp): Promise<void> => {
  await owner.page.goto(origin + path);
  await owner.heading(heading);
};
const dialog = () => owner.page.getByRole('dialog');
const inDialog = (button: string) => dialog().getByRole('button', { name: button }).click();

test('a customer is made, found, changed, invoiced, deleted', async () => {
  await open('/app/customers', 'Customers');
  await looksRight(owner, 'customers');
  await owner.press('button', 'New customer');
  await dialog().getByLabel('Name').fill('Björn Ironside');
  await dialog().getByLabel('E-mail').fill('not an e-mail');
  await inDialog('Create the customer');
  await dialog().locator('[aria-invalid=true]').waitFor();
  await looksRight(owner, 'customer-form');
  await dialog().getByLabel('E-mail').fill('bjorn@example.com');
  await inDialog('Create the customer');
  await owner.heading('Björn Ironside');
  await looksRight(owner, 'customer');

  await owner.press('button', 'Edit');
  await dialog().getByLabel('City').fill('Kattegat');
  await inDialog('Save changes');
  await owner.sees('Kattegat');

  await open('/app/customers', 'Customers');
  await owner.page.getByPlaceholder('Name, tax id or e-mail').fill('iron');
  await owner.page.getByPlaceholder('Name, tax id or e-mail').press('Enter');
  await owner.page.getByRole('link', { name: HOSTILE }).waitFor({ state: 'detached' });
  await owner.press('link', 'Björn Ironside');
  await owner.press('link', 'New invoice');
  await owner.heading('New invoice');
  expect(await owner.page.getByRole('combobox', { name: 'Customer' }).inputValue()).toBe('Björn Ironside');

  await owner.page.goBack();
  await owner.heading('Björn Ironside');
  await owner.press('button', 'More');
  await owner.press('menuitem', 'Delete');
  await inDialog('Delete');
  await owner.sees('This customer was deleted');
});

test('the invoices of a customer, and their export, name the customer', async () => {
  await open('/app/customers', 'Customers');
  await owner.press('link', HOSTILE);
  await owner.heading(HOSTILE);
  await owner.press('link', 'All invoices');
  await owner.heading('Invoices');
  await owner.page.getByRole('link', { name: HOSTILE }).waitFor();
  await looksRight(owner, 'invoices-of-customer');
  await owner.press('link', 'Export');
  await owner.heading('Exports');
  await owner.page.getByRole('link', { name: HOSTILE }).waitFor();
  await looksRight(owner, 'exports-of-customer');
});

test('what a program changes of a customer while its form is open is shown and kept', async () => {
  const { id } = await call('POST', '/customers', { name: 'Torstein', phone: '1' });
  await open(`/app/customers/${String(id)}`, 'Torstein');
  await owner.press('button', 'Edit');
  await dialog().getByLabel('City').fill('Kattegat');
  await call('PATCH', `/customers/${String(id)}`, { phone: '2' });
  await inDialog('Save changes');
  await dialog().getByText('phone: 1 → 2').waitFor();
  await looksRight(owner, 'customer-crossed');
  await inDialog('Save changes');
  await dialog().waitFor({ state: 'detached' });
  expect(await call('GET', `/customers/${String(id)}`)).toMatchObject({ phone: '2', address: { city: 'Kattegat' } });
});

test('what a customer owes stands on its page, and as a statement', async () => {
  const { id } = await call('POST', '/customers', { name: 'Floki' });
  const { id: invoice } = await call('POST', '/invoices', {
    customer_id: id,
    items: [{ description: 'Boat', unit_price: 100, tax_rate: 20 }],
  });
  await call('POST', `/invoices/${String(invoice)}/submit`);
  await eventually(async () => ((await call('GET', `/customers/${String(id)}/statement`))['data'] as object[])[0], 'the open item');
  await open(`/app/customers/${String(id)}`, 'Floki');
  await owner.sees('EUR 120.00');
  await looksRight(owner, 'customer-owes');
});

test('the personal data of a customer is erased after the password', async () => {
  await open('/app/customers', 'Customers');
  await owner.press('link', HOSTILE);
  await owner.heading(HOSTILE);
  await looksRight(owner, 'customer-hostile');
  await owner.press('button', 'More');
  await owner.press('menuitem', 'Erase personal data');
  await inDialog('Erase personal data');
  await provesIfAsked(owner, 'was erased');
});

test('a product is made, with its own tax, changed, and made inactive', async () => {
  await open('/app/products', 'Products');
  await looksRight(owner, 'products');
  await owner.press('button', 'New product');
  await dialog().getByLabel('Name').fill('Rope');
  await dialog().getByText('Without tax on invoices, with tax at the till.').waitFor();
  await dialog().getByLabel('Price').fill('a lot');
  await inDialog('Add a tax');
  // The issuer's own stays beside it until it is changed.
  const rates = dialog().getByLabel('Rate, %');
  expect([await rates.count(), await rates.first().inputValue()]).toEqual([2, '20']);
  await rates.first().fill('9');
  await inDialog('Remove: Tax 2');
  await inDialog('Create the product');
  await dialog().locator('[aria-invalid=true]').first().waitFor();
  await dialog().getByText('Write 1234.50 or 1234,50').waitFor();
  await looksRight(owner, 'product-form');
  await dialog().getByLabel('Price').fill('1.234');
  await dialog().getByText('Is taken as 1.234, with three decimals.').waitFor();
  await dialog().getByLabel('Price').fill('12345678901,12345678');
  await dialog().getByLabel('Currency').fill('EUR');
  await inDialog('Create the product');
  await owner.heading('Rope');
  await owner.sees('VAT 9 %');
  await looksRight(owner, 'product');
  await owner.press('button', 'Edit');
  await dialog().getByLabel('SKU').fill('ROPE');
  await inDialog('Save changes');
  await owner.sees('ROPE');
  await owner.press('button', 'Edit');
  expect(await dialog().getByLabel('Price').inputValue()).toBe('12345678901.12345678');
  await inDialog('Cancel');
  await owner.press('button', 'More');
  await owner.press('menuitem', 'Make inactive');
  await owner.sees('Inactive');
});

test('no page did what its policy forbids', () => expect(owner.faults).toEqual([]));
