import { readFileSync } from 'node:fs';
import { eventually, startReceiver, startSystem, type System } from '@svc/testkit';
import type { Browser, Locator } from 'playwright-core';
import { looksRight } from './testing/looks.ts';
import { joinByLink } from './testing/owner.ts';
import { openBrowser, type Visitor } from './testing/visitor.ts';

// The first day of an owner, on a fresh data folder, step by step. Every step is taken on the pages, by what they offer.
let system: System;
let browser: Browser;
let owner: Visitor;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  receiver = await startReceiver(() => 200);
  [system, browser] = await Promise.all([startSystem({ WEBHOOKS_ALLOW: receiver.origin }), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await system?.stop();
  await receiver?.close();
});

/** What the start prints: the link itself at a terminal, in a log the file that has it. */
function printedLink({ output }: System): string {
  const ready = output()
    .split('\n')
    .find((line) => line.includes('"msg":"ready"'));
  const { sign_in: printed = '' } = JSON.parse(ready ?? '{}') as { sign_in?: string };
  return readFileSync(printed.replace('the link in ', ''), 'utf8').trim();
}

const dialog = (name: string): Locator => owner.page.getByRole('dialog', { name, exact: true });
const part = (name: string): Locator => owner.page.getByRole('region', { name, exact: true });
const field = (name: string): Locator => owner.page.getByLabel(name, { exact: true });
const copied = (): Promise<string> => owner.page.evaluate('navigator.clipboard.readText()');

test('the link that the start prints leads to a password, and then to what to begin with', async () => {
  owner = await joinByLink(browser, printedLink(system), 'Ana Owner');
  owner.page.setDefaultTimeout(15_000);
  await owner.sees('Nothing needs you');
  await looksRight(owner, 'first-day-today');
});

test('a key is created where Today leads, and calls the API', async () => {
  await owner.press('link', 'Go to API Keys');
  await owner.heading('API Keys');
  await owner.press('button', 'Create New Key');
  const form = dialog('Create New Key');
  await form.getByLabel('Name').fill('Web shop');
  await form.getByLabel('Invoices: Read').check();
  await form.getByRole('button', { name: 'Create key' }).click();
  await owner.heading('Web shop');
  await owner.sees('Copy this value now');
  await looksRight(owner, 'first-day-key');
  await owner.press('button', 'Copy');
  await owner.sees('Copied');
  const answer = await fetch(`${system.url}/v1/invoices`, { headers: { authorization: `Bearer ${await copied()}` } });
  expect(answer.status).toBe(200);
});

test('an endpoint gets a test event, and the page says so', async () => {
  await owner.press('link', 'Webhooks');
  await owner.heading('Webhooks');
  await owner.press('button', 'Add endpoint');
  const form = dialog('Add endpoint');
  await form.getByLabel('URL').fill(`${receiver.origin}/hook`);
  await form.getByRole('switch', { name: 'All events' }).click();
  await form.getByRole('button', { name: 'Add endpoint' }).click();
  await owner.heading(new URL(receiver.origin).host);
  await owner.press('button', 'Send test event');
  const sample = dialog('Send a test event');
  await sample.getByRole('button', { name: 'Send it' }).click();
  await sample.getByRole('region', { name: 'Attempt 1' }).getByText('200', { exact: true }).waitFor();
  expect(receiver.deliveries.map(({ path, body }) => [path, body.type])).toEqual([['/hook', 'invoice.created']]);
  await looksRight(owner, 'first-day-test-event');
  await sample.getByRole('button', { name: 'Done' }).click();
  await sample.waitFor({ state: 'detached' });
});

test('an invoice is written for a customer who is new, and issued', async () => {
  await owner.press('link', 'Invoices');
  await owner.heading('Invoices');
  await owner.press('link', 'New invoice');
  await owner.heading('New invoice');
  await owner.page.getByRole('combobox', { name: 'Customer' }).fill('Lagertha');
  await owner.press('option', 'New customer “Lagertha”');
  await dialog('New customer').getByRole('button', { name: 'Create the customer' }).click();
  await dialog('New customer').waitFor({ state: 'detached' });
  for (const [n, name] of ['Rope', 'Boat'].entries()) {
    if (n > 0) await owner.press('button', 'Add a line');
    await field(`Description, line ${n + 1}`).fill(name);
    await field(`Quantity, line ${n + 1}`).fill('2');
    await field(`Price, line ${n + 1}`).fill('50');
    await field(`Tax %, line ${n + 1}`).fill('20');
  }
  await owner.sees('EUR 240.00');
  await owner.page.getByRole('link', { name: 'Edit the customer' }).waitFor();
  await looksRight(owner, 'first-day-form');
  await owner.press('button', 'Save and submit');
  await owner.heading(/^INV-/);
  await owner.page.getByRole('button', { name: 'Record a payment' }).waitFor();
  await looksRight(owner, 'first-day-invoice');
});

test('it is paid', async () => {
  await owner.press('button', 'Record a payment');
  await dialog('Record a payment').getByRole('button', { name: 'Record a payment' }).click();
  await owner.sees('Nothing is open.');
  await owner.page.getByText('Paid', { exact: true }).first().waitFor();
});

test('one of its lines is credited', async () => {
  await owner.press('link', 'Credit');
  await owner.heading(/^Credit note of INV-/);
  await owner.page.getByLabel('Boat').check();
  await field('Quantity to credit, line 2').fill('1');
  await owner.sees('EUR 60.00');
  await owner.press('button', 'Save and submit');
  await owner.heading(/^CN-/);
  await owner.page.getByText('Submitted', { exact: true }).first().waitFor();
  for (const name of ['Due', 'Nothing is open.']) expect(await owner.page.getByText(name, { exact: true }).count()).toBe(0);
  await owner.press('link', /^INV-/);
  await owner.heading(/^INV-/);
  await owner.sees('EUR 60.00 is owed back to the customer.');
  await owner.page.getByRole('link', { name: /^CN-/ }).waitFor();
  await looksRight(owner, 'first-day-credited');
});

test('the endpoint has got what happened, and the invoice says so', async () => {
  await owner.page.getByRole('link', { name: 'Webhook invoice.submitted: Delivered' }).first().waitFor({ timeout: 60_000 });
  expect(receiver.deliveries.map(({ body }) => body.type)).toEqual(expect.arrayContaining(['invoice.created', 'invoice.submitted']));
});

test('its month is closed: figures, the certificate of its numbers, and all papers', async () => {
  await owner.press('link', 'Reports');
  await owner.heading('Reports');
  await owner.press('link', 'Month end');
  await owner.heading('Month end');
  await field('Month').fill(new Date().toISOString().slice(0, 7));
  await eventually(async () => {
    const isThere = (text: RegExp | string) => owner.page.getByText(text).first().isVisible();
    if ((await isThere(/Total 180\.00/)) && (await isThere('No number is missing'))) return true;
    await owner.page.reload();
    await part('Certificate of numbers').getByText('SHA-256').waitFor();
    return false;
  }, 'the figures of the month');
  await looksRight(owner, 'first-day-month');
  const [file] = await Promise.all([owner.page.waitForEvent('download'), owner.press('button', 'Numbering, CSV')]);
  expect(
    readFileSync(await file.path(), 'utf8')
      .match(/(INV|CN)-\d{4}-000001/g)
      ?.sort(),
  ).toEqual([expect.stringMatching(/^CN-/), expect.stringMatching(/^INV-/)]);
  await owner.press('button', 'All PDFs');
  await owner.heading('Exports');
  const [zip] = await Promise.all([owner.page.waitForEvent('download'), owner.press('button', /^Download PDFs/)]);
  expect(zip.suggestedFilename()).toMatch(/^pdf-.*\.zip$/);
});

test('no page did what its policy forbids, and the browser keeps nothing', async () => {
  expect(owner.faults).toEqual([]);
  expect(await owner.kept()).toEqual([]);
});
