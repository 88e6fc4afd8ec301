import type { Call } from './testing/fill.ts';
import { invoiceForm } from './testing/invoices.ts';
import { looksRight } from './testing/looks.ts';
import type { Visitor } from './testing/visitor.ts';
import { withOwner } from './testing/with-owner.ts';

let owner: Visitor;
let origin: string;
let call: Call;
withOwner(async (opened) => {
  ({ owner, origin, call } = opened);
  await call('POST', '/customers', { name: 'Lagertha & Söhne GmbH', email: 'books@example.com' });
});

const open = async (path: string, heading: string): Promise<void> => {
  await owner.page.goto(origin + path);
  await owner.heading(heading);
};
const { field, begin, customerField } = invoiceForm(() => ({ owner, origin }));

test('a form that is left is offered again, and becomes a draft only by saving', async () => {
  await begin();
  await field('Description, line 1').fill('Half a thought');
  await owner.sees('Kept for you');
  const before = await call('GET', '/invoices');
  await owner.press('link', 'Today');
  await owner.heading('Today');
  await open('/app/invoices/new', 'New invoice');
  await owner.sees('You have left a form unfinished');
  await looksRight(owner, 'invoice-form-kept');
  await owner.press('button', 'Go on with it');
  expect(await field('Description, line 1').inputValue()).toBe('Half a thought');
  expect((await call('GET', '/invoices'))['meta']).toEqual(before['meta']);
  await customerField().fill('lager');
  await owner.press('option', /Lagertha/);
  await field('Price, line 1').fill('5');
  await owner.press('button', 'Save as a draft');
  await owner.heading('Invoice, draft');
  await open('/app/invoices/new', 'New invoice');
  await field('Description, line 1').waitFor();
});

test('a form that is loaded again right after typing is kept', async () => {
  await begin();
  await field('Description, line 1').fill('Typed and loaded again');
  await owner.page.reload();
  await owner.press('button', 'Go on with it');
  expect(await field('Description, line 1').inputValue()).toBe('Typed and loaded again');
});

test('a second tab does not overwrite the unfinished form of the first', async () => {
  await begin();
  await field('Description, line 1').fill('Of the first tab');
  await owner.sees('Kept for you');
  const second = await owner.context.newPage();
  await second.goto(`${origin}/app/invoices/new`);
  await second.getByText('This form is open in another tab').waitFor();
  await second.getByLabel('Description, line 1', { exact: true }).fill('Of the second tab');
  await second.getByRole('link', { name: 'Today' }).click();
  await second.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
  await second.close();
  await owner.page.reload();
  await owner.press('button', 'Go on with it');
  expect(await field('Description, line 1').inputValue()).toBe('Of the first tab');
});

test('a form whose answer was lost makes one draft, also when it is gone on with after a reload', async () => {
  await begin();
  await customerField().fill('lager');
  await owner.press('option', /Lagertha/);
  await field('Description, line 1').fill('Sent once');
  await field('Price, line 1').fill('5');
  const total = async (): Promise<unknown> => ((await call('GET', '/invoices'))['meta'] as { total: number }).total;
  const before = (await total()) as number;
  // The server makes the draft; the answer never arrives.
  await owner.page.route('**/console/v1/invoices', async (route) => {
    await route.fetch().catch(() => undefined);
    await route.abort('connectionreset').catch(() => undefined);
  });
  await owner.press('button', 'Save as a draft');
  await owner.sees('That did not work');
  await owner.page.unrouteAll({ behavior: 'ignoreErrors' });
  await owner.page.reload();
  await owner.sees('You have left a form unfinished');
  await looksRight(owner, 'invoice-form-lost');
  await owner.press('button', 'Go on with it');
  await owner.press('button', 'Save as a draft');
  await owner.heading('Invoice, draft');
  expect(await total()).toBe(before + 1);
});

test('a new invoice whose submission is refused goes on as the draft that it is', async () => {
  await begin();
  await customerField().fill('lager');
  await owner.press('option', /Lagertha/);
  await field('Price, line 1').fill('5');
  await owner.press('button', 'Save and submit');
  await owner.heading('Edit Invoice, draft');
  await owner.sees('It is saved as a draft, and was not submitted.');
  await field('Description, line 1').and(owner.page.locator('[aria-invalid=true]:focus')).waitFor();
  const { data } = await call('GET', '/customers');
  await call('DELETE', `/customers/${String((data as { id: string }[])[0]?.id)}`);
  await field('Description, line 1').fill('Boat');
  await owner.press('button', 'Save and submit');
  await owner.page.getByRole('link', { name: 'Edit the customer' }).waitFor();
  expect(await owner.page.getByRole('option', { name: /New customer/ }).count()).toBe(0);
  await looksRight(owner, 'invoice-form-refused');
  await open('/app/invoices/new', 'New invoice');
  await field('Description, line 1').waitFor();
});

test('no page did what its policy forbids, and the browser keeps nothing', async () => {
  expect(owner.faults).toEqual([]);
  expect(await owner.kept()).toEqual([]);
});
