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

test('a payment whose answer was lost is recorded once, also where its dialog is opened anew', async () => {
  const id = await registered();
  const record = async (): Promise<void> => {
    await owner.press('button', 'Record a payment');
    await dialog().getByLabel('Amount, EUR').fill('100');
    await dialog().getByLabel('Amount, EUR').press('Enter');
  };
  // The server records it; the answer never arrives.
  await owner.page.route('**/payments', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch().catch(() => undefined);
    await route.abort('connectionreset').catch(() => undefined);
  });
  await record();
  await dialog().getByText('It may have been done').waitFor();
  await owner.sees('EUR 140.00 is open.');
  await looksRight(owner, 'payment-lost');
  await owner.page.unrouteAll({ behavior: 'ignoreErrors' });
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await dialog().waitFor({ state: 'detached' });
  await record();
  await dialog().waitFor({ state: 'detached' });
  expect(await read(id)).toMatchObject({ amount_paid: 100 });
});

test('what is refused of a credit note is said, also where its page has no field for it', async () => {
  const id = await registered();
  await call('POST', `/customers/${String((await read(id))['customer_id'])}/erase`);
  await owner.press('link', 'Credit');
  await owner.heading(/^Credit note of/);
  await owner.page.getByLabel('Boat').check();
  await owner.press('button', 'Save and submit');
  await owner.page.getByRole('alert').filter({ hasText: 'customer_id' }).waitFor();
  await looksRight(owner, 'credit-form-refused');
});

test('a description of several lines shows what is wrong with it', async () => {
  const { id: customer_id } = await call('POST', '/customers', { name: 'Floki' });
  const { id } = await call('POST', '/invoices', { customer_id, items: [{ description: 'One\nTwo', unit_price: 5 }] });
  await owner.page.goto(`${origin}/app/invoices/${String(id)}/edit`);
  const description = owner.page.getByLabel('Description, line 1');
  await description.fill(`One\n${'x'.repeat(2_001)}`);
  await owner.press('button', 'Save as a draft');
  await description.and(owner.page.locator('[aria-invalid=true]')).waitFor();
  await looksRight(owner, 'description-wrong');
});

test('a payment is of the day where the issuer is', async () => {
  // One of them has another day than the reader, who is in Madrid.
  const dayAt = (zone: string): string => new Intl.DateTimeFormat('sv', { timeZone: zone }).format();
  const [west, east] = ['Pacific/Pago_Pago', 'Pacific/Kiritimati'].map((zone) => [zone, dayAt(zone)] as const) as [
    [string, string],
    [string, string],
  ];
  const [zone, day] = west[1] === dayAt('Europe/Madrid') ? east : west;
  await call('PATCH', '/issuer', { time_zone: zone });
  await registered();
  await owner.press('button', 'Record a payment');
  expect(await dialog().getByLabel(/^Day/).inputValue()).toBe(day);
  await dialog().getByRole('button', { name: 'Record a payment' }).click();
  await dialog().waitFor({ state: 'detached' });
});

test('what is submitted is what the page shows', async () => {
  const { id: customer_id } = await call('POST', '/customers', { name: 'Floki' });
  const { id } = await call('POST', '/invoices', { customer_id, items: [{ description: 'Boat', unit_price: 100, tax_rate: 20 }] });
  await owner.page.goto(`${origin}/app/invoices/${String(id)}`);
  await owner.press('button', 'Submit');
  await dialog().waitFor();
  await call('PATCH', `/invoices/${String(id)}`, {
    notes: 'Another price',
    items: [{ description: 'Boat', unit_price: 900, tax_rate: 20 }],
  });
  await dialog().getByRole('button', { name: 'Submit' }).click();
  await dialog().getByRole('alert').waitFor();
  expect(await read(String(id))).toMatchObject({ status: 'draft' });
  await owner.sees('EUR 1,080.00');
  await dialog().getByRole('button', { name: 'Submit' }).click();
  await dialog().waitFor({ state: 'detached' });
  await eventually(async () => (await read(String(id)))['status'] === 'submitted', 'the registration');
});

test('an invoice that a program has changed meanwhile is voided once the person has seen it', async () => {
  const id = await registered();
  await owner.press('button', 'More');
  await owner.press('menuitem', 'Void');
  await dialog().getByLabel('Reason').fill('Issued twice');
  await call('PATCH', `/invoices/${id}`, { metadata: { order: '7' } });
  await dialog().getByRole('button', { name: 'Void' }).click();
  await dialog().getByText('It has changed since this page showed it').waitFor();
  await owner.sees('order');
  expect((await read(id))['status']).toBe('submitted');
  await dialog().getByRole('button', { name: 'Void' }).click();
  await eventually(async () => (await read(id))['status'] === 'voided', 'the void');
});

test('no page did what its policy forbids', () => expect(owner.faults).toEqual([]));
