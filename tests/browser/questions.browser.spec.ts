import { eventually, type System } from '@svc/testkit';
import type { Browser } from 'playwright-core';
import { type Call, HOSTILE } from './testing/fill.ts';
import { looksRight } from './testing/looks.ts';
import { joins, provesIfAsked } from './testing/owner.ts';
import type { Visitor } from './testing/visitor.ts';
import { withOwner } from './testing/with-owner.ts';

let system: System;
let browser: Browser;
let owner: Visitor;
let origin: string;
let call: Call;
withOwner((opened) => void ({ system, browser, owner, origin, call } = opened));

interface Named {
  name: string;
  start: string;
}

const dialog = (name: string) => owner.page.getByRole('dialog', { name, exact: true });
const item = { description: 'Rope', quantity: 2, unit_price: 50, tax_rate: 20 };

async function open(path: string, heading: string | RegExp): Promise<void> {
  await owner.page.goto(origin + path);
  await owner.heading(heading);
  await owner.page.waitForLoadState('networkidle');
}

test('a receipt is voided by its page, once it has a reason', async () => {
  const { id } = await call('POST', '/receipts', { items: [item], payment_method: 'cash', metadata: { order: HOSTILE } });
  await eventually(
    async () => ((await call('GET', `/receipts/${String(id)}`))['available_actions'] as string[]).includes('void'),
    'a receipt that can be voided',
  );
  await open(`/app/receipts/${String(id)}`, /^RCP-/);
  // Who issued it, by the name of the key.
  await owner.page
    .getByRole('listitem')
    .filter({ hasText: /^Created/ })
    .getByText('First test key')
    .waitFor();
  await looksRight(owner, 'receipt');
  await owner.press('button', 'More');
  await owner.press('menuitem', 'Void');
  const question = dialog('Void this document?');
  await question.getByLabel('Reason').fill('x');
  await question.getByRole('button', { name: 'Void' }).click();
  await question.locator('[aria-invalid=true]').waitFor();
  await looksRight(owner, 'receipt-void');
  await question.getByLabel('Reason').fill(HOSTILE);
  await question.getByRole('button', { name: 'Void' }).click();
  await question.waitFor({ state: 'detached' });
  await eventually(async () => (await call('GET', `/receipts/${String(id)}`))['status'] === 'voided', 'the void');
  await open(`/app/receipts/${String(id)}`, /^RCP-/);
  expect(await owner.page.getByText(HOSTILE).count()).toBeGreaterThan(1);
  await looksRight(owner, 'receipt-voided');
});

test('a request that was refused is opened from the list, and says why', async () => {
  await call('POST', '/invoices', { items: [{ quantity: 0 }], metadata: { [HOSTILE]: 'x' } });
  const list = async () => {
    const answer = await owner.context.request.get(`${origin}/console/requests?path=/v1/invoices`, { headers: { 'x-livemode': 'false' } });
    return ((await answer.json()) as { data: object[] }).data.length > 0;
  };
  await eventually(list, 'the row of the request');
  const { data: keys } = (await (await owner.context.request.get(`${origin}/console/api-keys`)).json()) as { data: Named[] };
  const { name } = keys.find(({ start }) => system.setup.test_key.startsWith(start)) as Named;
  await open('/app/settings/requests', 'Requests');
  await owner.page.getByLabel('Any API key').selectOption({ label: name });
  await owner.page.waitForURL(/key_id=key_/);
  const row = owner.page.getByRole('row', { name: 'POST /v1/invoices' }).filter({ hasText: name });
  await row.getByRole('link').first().click();
  await owner.heading('POST /v1/invoices');
  await owner.sees('validation_error');
  await owner.page.getByRole('link', { name, exact: true }).waitFor();
  await looksRight(owner, 'request');
});

test('a request that succeeded says what it did, and one that is unknown that it is', async () => {
  const { id: customer_id } = await call('POST', '/customers', { name: 'Lagertha' });
  const headers = { authorization: `Bearer ${system.setup.test_key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ customer_id, items: [item] });
  const answer = await fetch(`${system.url}/v1/invoices`, { method: 'POST', headers, body });
  const request = answer.headers.get('x-request-id') ?? '';
  await open('/app/settings/requests', 'Requests');
  await open(`/app/settings/requests/${request}`, 'Request');
  await owner.page.getByRole('link', { name: 'Invoice, draft · Lagertha' }).waitFor();
  await looksRight(owner, 'request-succeeded');
  await open(`/app/settings/requests/req_0`, 'Request');
  await looksRight(owner, 'request-unknown');
});

test('what the authority has is decided by hand, with a note', async () => {
  const { id: customer_id } = await call('POST', '/customers', { name: 'Blue Door Books' });
  const { id } = await call('POST', '/invoices', { customer_id, items: [item], metadata: { simulate: 'duplicate_foreign' } });
  await call('POST', `/invoices/${String(id)}/submit`);
  const read = () => call('GET', `/invoices/${String(id)}`);
  await eventually(async () => ((await read())['available_actions'] as string[]).includes('resolve'), 'the review');
  await open(`/app/invoices/${String(id)}`, /^INV-/);
  await owner.press('button', 'Decide');
  const question = dialog('What does the authority have?');
  await question.getByRole('button', { name: 'Decide' }).click();
  await question.locator('[aria-invalid=true]').first().waitFor();
  await looksRight(owner, 'resolve');
  await question.getByLabel('Note').fill('Asked them.');
  await question.getByRole('textbox', { name: 'Fiscal code' }).fill('BY-HAND');
  await question.getByRole('button', { name: 'Decide' }).click();
  await question.waitFor({ state: 'detached' });
  await eventually(async () => (await read())['fiscal_code'] === 'BY-HAND', 'the code');
});

test('a key is rotated: the new value is shown once, and the old one ends', async () => {
  const data = { name: 'Web shop', livemode: false, permissions: ['invoices:read'] };
  const made = await owner.context.request.post(`${origin}/console/api-keys`, { data, headers: { origin } });
  const { id, key: old } = (await made.json()) as { id: string; key: string };
  const status = async (key: string) => (await fetch(`${system.url}/v1/invoices`, { headers: { authorization: `Bearer ${key}` } })).status;
  await open(`/app/settings/api-keys/${id}`, 'Web shop');
  await owner.press('button', 'Change');
  await dialog('Web shop').waitFor();
  await looksRight(owner, 'api-key-change');
  await owner.page.keyboard.press('Escape');
  await dialog('Web shop').waitFor({ state: 'detached' });
  await owner.press('button', 'Rotate');
  const question = dialog('Give the key a new value');
  await question.getByLabel('The old value ends').selectOption({ label: 'At once' });
  await looksRight(owner, 'api-key-rotate');
  await question.getByRole('button', { name: 'Rotate' }).click();
  await owner.sees('Copy this value now');
  const value = await owner.page.locator('code', { hasText: /^svc_test_\w{30}/ }).innerText();
  expect(await status(value)).toBe(200);
  await eventually(async () => (await status(old)) === 401, 'the end of the old value');
  await owner.press('button', 'Revoke');
  await dialog('Revoke this key?').waitFor();
  await looksRight(owner, 'api-key-revoke');
});

test('a member is changed, gets a link for a new password, and is removed: the live keys that go on are named', async () => {
  const member = await joins(browser, { owner, origin, role: 'developer' });
  const { request } = member.context;
  expect((await request.patch(`${origin}/console/me`, { data: { name: HOSTILE }, headers: { origin } })).status()).toBe(200);
  const data = { name: HOSTILE, livemode: true, permissions: ['invoices:read'] };
  expect((await request.post(`${origin}/console/api-keys`, { data, headers: { origin } })).status()).toBe(201);
  await open('/app/settings/members', 'Members');
  const actions = owner.page.getByRole('button', { name: /^Actions for \u2068<img/ });
  const chooses = async (action: string): Promise<void> => {
    await actions.click();
    await owner.press('menuitem', action);
  };
  await actions.waitFor();
  await looksRight(owner, 'members-hostile');
  await chooses('Change');
  const change = dialog(HOSTILE);
  await change.getByLabel('Operator at tills').fill('no such operator, and wide');
  await looksRight(owner, 'member-change');
  await change.getByLabel('Operator at tills').fill('');
  await change.getByLabel('Role').selectOption('admin');
  await change.getByRole('button', { name: 'Save changes' }).click();
  await change.waitFor({ state: 'detached' });
  await owner.page.getByRole('row', { name: /Admin/ }).waitFor();
  await chooses('New password link');
  await looksRight(owner, 'member-reset');
  await dialog('A link for a new password').getByRole('button', { name: 'Make the link' }).click();
  await provesIfAsked(owner, 'Hand this link to');
  await looksRight(owner, 'member-reset-link');
  await owner.press('button', 'Done');
  await chooses('Remove');
  await looksRight(owner, 'member-remove');
  await dialog('Remove this member?').getByRole('button', { name: 'Remove' }).click();
  await provesIfAsked(owner, 'made by the member and go on');
  await looksRight(owner, 'member-removed');
  await dialog('The member is removed').getByRole('button', { name: 'Done' }).click();
  await actions.waitFor({ state: 'detached' });
  await member.context.close();
});

test('no page did what its policy forbids, and the browser keeps nothing', async () => {
  expect(owner.faults).toEqual([]);
  expect(await owner.kept()).toEqual([]);
});
