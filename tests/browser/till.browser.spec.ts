import type { Browser } from 'playwright-core';
import { type Call, HOSTILE } from './testing/fill.ts';
import { looksRight } from './testing/looks.ts';
import { joins } from './testing/owner.ts';
import type { Visitor } from './testing/visitor.ts';
import { withOwner } from './testing/with-owner.ts';

let browser: Browser;
let owner: Visitor;
let origin: string;
let call: Call;
withOwner(async (opened) => {
  ({ browser, owner, origin, call } = opened);
  for (const [name, unit_price] of [
    ['Coffee', 1.5],
    ['Bread', 2.35],
    [HOSTILE, 3],
  ] as const)
    await call('POST', '/products', { name, unit_price, currency: 'EUR', tax_rate: 20 });
});

const receipts = async (): Promise<Record<string, unknown>[]> => (await call('GET', '/receipts'))['data'] as Record<string, unknown>[];
const what = () => owner.page.getByRole('combobox', { name: 'Product or text' });

async function openTill(): Promise<void> {
  await owner.page.goto(`${origin}/app/till`);
  await owner.heading('Till');
  await what().waitFor();
}

test('a receipt of two products, paid in cash, is issued and its paper printed by keyboard alone', async () => {
  await openTill();
  const { keyboard } = owner.page;
  await what().focus();
  const began = Date.now();
  for (const name of ['Coffee', 'Bread']) {
    await keyboard.type(name.slice(0, 4).toLowerCase());
    await owner.page.getByRole('option', { name }).waitFor();
    await keyboard.press('Enter');
    await owner.page.getByLabel(`Quantity of ${name}`).waitFor();
  }
  await owner.sees('EUR 3.85');
  await keyboard.type('tea');
  await owner.sees('What you typed is not in the basket yet');
  await keyboard.press('Control+Enter');
  expect(await owner.page.getByRole('button', { name: 'Cash' }).isEnabled()).toBe(false);
  for (let typed = 0; typed < 3; typed += 1) await keyboard.press('Backspace');
  await owner.sees('Ctrl+Enter: paid in cash.');
  await keyboard.press('Control+Enter');
  await owner.sees(/^Receipt RCP-/);
  await owner.page.getByRole('button', { name: 'Print' }).and(owner.page.locator(':enabled')).waitFor();
  console.log(`a receipt of two products by keyboard: ${Date.now() - began} ms`);
  await owner.page.waitForLoadState('networkidle');
  await looksRight(owner, 'till-issued');
  expect((await receipts())[0]).toMatchObject({ total: 3.85, payment_method: 'cash', items: [{ quantity: 1 }, { quantity: 1 }] });
  await owner.page.evaluate('document.querySelector("iframe").contentWindow.print = () => { globalThis.printed = true; }');
  await owner.page.getByRole('button', { name: 'Print' }).focus();
  await keyboard.press('Enter');
  expect(await owner.page.evaluate('globalThis.printed')).toBe(true);
  await owner.page.getByRole('button', { name: 'Next customer' }).focus();
  await keyboard.press('Enter');
  await what().and(owner.page.locator(':focus')).waitFor();
});

test('what is to be paid is what the receipt comes to, with a surcharge', async () => {
  const taxes = [{ rate: 21, surcharge: 5.2 }];
  await call('POST', '/products', { name: 'Tobacco', unit_price: 10, currency: 'EUR', taxes });
  await openTill();
  await owner.press('button', /^Tobacco/);
  await owner.sees('EUR 10.43');
  await owner.press('button', 'Card');
  await owner.sees(/^Receipt RCP-/);
  expect((await receipts())[0]).toMatchObject({ total: 10.43 });
});

test('a receipt is issued by touch alone', async () => {
  await openTill();
  const before = (await receipts()).length;
  await owner.press('button', /^Coffee/);
  await owner.press('button', /^Coffee/);
  await owner.press('button', /^<img/);
  await owner.press('button', 'One more: Coffee');
  await owner.sees('Prices are with tax.');
  await owner.sees('EUR 7.50');
  await looksRight(owner, 'till-basket');
  await owner.press('button', 'Card');
  await owner.sees(/^Receipt RCP-/);
  expect(await receipts()).toHaveLength(before + 1);
  expect((await receipts())[0]).toMatchObject({ total: 7.5, payment_method: 'card' });
});

test('a receipt is in the currency of its prices, and a basket of two cannot be paid', async () => {
  await call('POST', '/products', { name: 'Dollar tea', unit_price: 2, currency: 'USD', tax_rate: 20 });
  await openTill();
  await owner.press('button', /^Coffee/);
  await owner.press('button', /^Dollar tea/);
  await owner.sees('prices are in EUR, USD');
  await looksRight(owner, 'till-currencies');
  expect(await owner.page.getByRole('button', { name: 'Cash' }).isEnabled()).toBe(false);
  await owner.press('button', 'Remove Coffee');
  await owner.sees('USD 2.00');
  await owner.press('button', 'Cash');
  await owner.sees(/^Receipt RCP-/);
  expect((await receipts())[0]).toMatchObject({ total: 2, currency: 'USD' });
});

test('what is refused is said, and the basket stays', async () => {
  await openTill();
  await owner.press('button', /^Bread/);
  await owner.page.getByLabel('Quantity of Bread').fill('0');
  await owner.press('button', 'Cash');
  await owner.page.getByRole('alert').waitFor();
  await looksRight(owner, 'till-refused');
  expect(await owner.page.getByLabel('Quantity of Bread').inputValue()).toBe('0');
  expect(await owner.kept()).toEqual([]);
});

test('the basket is there when its page was left, and the browser asks before it is lost', async () => {
  await openTill();
  await owner.press('button', /^Bread/);
  await owner.press('link', 'Receipts');
  await owner.heading('Receipts');
  const asked = owner.page.waitForEvent('dialog').then(async (dialog) => {
    await dialog.dismiss();
    return dialog.type();
  });
  // The reload does not happen, which is no failure of it.
  await owner.page.reload({ timeout: 2_000 }).catch(() => undefined);
  expect(await asked).toBe('beforeunload');
  await owner.press('link', 'Till');
  expect(await owner.page.getByLabel('Quantity of Bread').inputValue()).toBe('1');
  await owner.press('button', 'Cash');
  await owner.sees(/^Receipt RCP-/);
  await owner.press('link', 'Receipts');
  await owner.press('link', 'Till');
  await owner.sees('Nothing yet.');
});

test('a receipt whose answer was lost is repeated under its key, also after a reload, and is issued once', async () => {
  await openTill();
  const before = (await receipts()).length;
  // The server issues it; the answer never arrives.
  await owner.page.route('**/console/v1/receipts', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch().catch(() => undefined);
    await route.abort('connectionreset').catch(() => undefined);
  });
  await owner.press('button', /^Coffee/);
  await owner.press('button', 'Cash');
  await owner.sees('Not issued yet');
  await looksRight(owner, 'till-lost');
  expect(await owner.page.getByRole('button', { name: 'Print' }).count()).toBe(0);
  expect(await owner.kept()).toEqual([expect.stringMatching(/^receipt:/)]);
  await owner.page.reload();
  await owner.sees('Not issued yet');
  await owner.page.unrouteAll({ behavior: 'ignoreErrors' });
  await owner.page
    .getByText(/^Receipt RCP-/)
    .first()
    .waitFor({ timeout: 40_000 });
  expect(await receipts()).toHaveLength(before + 1);
  expect(await owner.kept()).toEqual([]);
});

test('who may not issue has issued nothing: the basket is open again', async () => {
  await openTill();
  await owner.page.route('**/console/v1/receipts', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 403, json: { error: { code: 'insufficient_permissions', message: 'Not yours.', request_id: 'req_1' } } })
      : route.continue(),
  );
  await owner.press('button', /^Coffee/);
  await owner.press('button', 'Cash');
  await owner.sees('Not yours.');
  expect(await owner.kept()).toEqual([]);
  expect(await owner.page.getByRole('button', { name: 'Cash' }).isEnabled()).toBe(true);
  await owner.page.unrouteAll();
});

test('a receipt that never arrived can be given up', async () => {
  await openTill();
  await owner.page.route('**/console/v1/receipts', (route) => route.abort('connectionreset'));
  const before = (await receipts()).length;
  await owner.press('button', /^Coffee/);
  await owner.press('button', 'Cash');
  await owner.press('button', 'I have looked: give it up');
  await owner.page.unrouteAll();
  expect(await owner.kept()).toEqual([]);
  expect(await owner.page.getByRole('button', { name: 'Cash' }).isEnabled()).toBe(true);
  expect(await receipts()).toHaveLength(before);
});

test('a cashier chooses once of the units and devices of the issuer, and every receipt names them', async () => {
  await call('PATCH', '/issuer', { units: ['SHOP', 'QUAY'].map((code) => ({ code, devices: [`${code}-1`, `${code}-2`] })) });
  const cashier = await joins(browser, { owner, origin, role: 'cashier' });
  await cashier.page.goto(`${origin}/app/till`);
  await cashier.sees('Which till is this?');
  await looksRight(cashier, 'till-which');
  await cashier.page.getByLabel('Unit').selectOption('QUAY');
  await cashier.page.getByLabel('Device').selectOption('QUAY-2');
  await cashier.press('button', 'Begin');
  await cashier.sees('Unit QUAY, device QUAY-2');
  await cashier.press('button', /^Coffee/);
  await cashier.press('button', 'Cash');
  await cashier.sees(/^Receipt RCP-/);
  expect((await receipts())[0]).toMatchObject({ unit: 'QUAY', device: 'QUAY-2', total: 1.5 });
  await cashier.page.reload();
  await cashier.sees('Unit QUAY, device QUAY-2');
  expect(cashier.faults).toEqual([]);
  await cashier.context.close();
});

test('no page did what its policy forbids', () => expect(owner.faults).toEqual([]));
