import { readFileSync } from 'node:fs';
import { eventually, type System } from '@svc/testkit';
import type { Download } from 'playwright-core';
import type { Call } from './testing/fill.ts';
import { invoiceForm } from './testing/invoices.ts';
import { looksRight } from './testing/looks.ts';
import type { Visitor } from './testing/visitor.ts';
import { withOwner } from './testing/with-owner.ts';

let system: System;
let owner: Visitor;
let origin: string;
let call: Call;
withOwner((opened) => void ({ system, owner, origin, call } = opened));

const form = invoiceForm(() => ({ owner, origin }));
const part = (name: string) => owner.page.getByRole('region', { name, exact: true });
const step = (name: RegExp) => owner.page.getByRole('listitem').filter({ has: owner.page.getByRole('heading', { name }) });

/** From the navigation, as a person goes. */
async function chooses(authority: string): Promise<void> {
  await owner.press('link', 'Tax authority');
  await owner.heading('Tax authority');
  const where = part('Where documents are registered');
  await where.getByLabel('Tax authority').selectOption({ label: authority });
  await where.getByRole('button', { name: 'Save changes' }).click();
  await where.getByText('Saved').waitFor();
}

/** In the form of a new invoice, for a new customer, until the authority has registered it. */
async function issues(customer: Record<string, string>): Promise<void> {
  await owner.heading('New invoice');
  await form.customerField().fill(String(customer['Name']));
  await owner.page.getByRole('option', { name: /^New customer/ }).click();
  const dialog = owner.page.getByRole('dialog');
  for (const [label, text] of Object.entries(customer)) await dialog.getByRole('textbox', { name: label, exact: true }).fill(text);
  await dialog.getByRole('button', { name: 'Create the customer' }).click();
  await dialog.waitFor({ state: 'detached' });
  await form.field('Description, line 1').fill('Consulting');
  await form.field('Price, line 1').fill('100');
  await owner.press('button', 'Save and submit');
  await owner.page.getByText('Registered', { exact: true }).first().waitFor();
}

const downloaded = async (run: () => Promise<void>): Promise<Download> => {
  const download = owner.page.waitForEvent('download');
  await run();
  return download;
};

test('an owner chooses Albania and comes to a registered invoice and its evidence by what the pages say', async () => {
  await owner.page.goto(`${origin}/app`);
  await owner.heading('Today');
  await chooses('the tax authority of Albania (CIS)');
  await step(/^Who issues.*Done/).waitFor();
  await looksRight(owner, 'authority-albania');
  await step(/^First document/)
    .getByRole('link', { name: 'Go to New invoice' })
    .click();
  await issues({ Name: 'Lagertha' });
  const evidence = await downloaded(() => owner.press('button', 'Download the evidence'));
  expect(evidence.suggestedFilename()).toMatch(/^evidence-.*\.zip$/);
  expect(
    readFileSync(await evidence.path())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK');
  await owner.page.getByText('Invoice evidence asked for').waitFor({ timeout: 45_000 });
  await looksRight(owner, 'invoice-evidence');
});

test('a void of a receipt names the receipt that carries it out by its number, and that one the first', async () => {
  const items = [{ description: 'Coffee', unit_price: 2, tax_rate: 20 }];
  const { id, number } = await call('POST', '/receipts', { items, payment_method: 'cash' });
  const path = `/receipts/${String(id)}`;
  const read = () => call('GET', path);
  await eventually(async () => ((await read())['available_actions'] as string[]).includes('void'), 'a receipt that can be voided');
  await call('POST', `${path}/void`, { reason: 'Sold twice' });
  await eventually(async () => (await read())['status'] === 'voided', 'the void');
  const { document_id: other } = (await read())['void'] as { document_id: string };
  const { number: next } = await call('GET', `/receipts/${other}`);
  await owner.page.goto(`${origin}/app${path}`);
  await owner.press('link', String(next));
  await owner.heading(String(next));
  await owner.press('link', String(number));
  await owner.heading(String(number));
});

/** As wide as a code may be, of one word. */
const TILL = `T${'W'.repeat(39)}`;

test('a till that the authority refuses says why and what to do; once that is changed it is registered', async () => {
  const { units } = (await call('PATCH', '/issuer', { authority: 'al-cis' })) as { units: { code: string; devices: string[] }[] };
  const [unit] = units;
  await call('PATCH', '/issuer', { units: [{ ...unit, devices: [...(unit?.devices ?? []), TILL] }] });
  await fetch(`${system.simulator}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ authority: 'al-cis', operation: 'registerTCR', fault: 'reject:43', times: 1 }),
  });
  await owner.page.goto(`${origin}/app/settings/authority`);
  await step(/^Who issues/)
    .getByText(`Device ${TILL} has no code of the authority`)
    .waitFor();
  await step(/^Who issues/)
    .getByRole('link', { name: 'Go to Issuer & numbers' })
    .click();
  const till = owner.page.getByRole('group', { name: TILL });
  await till.getByText('Not registered').waitFor();
  await till.getByRole('button', { name: 'Register it' }).click();
  await till.getByText('Code of who maintains it:').waitFor();
  await till.getByLabel('Code of who maintains it').fill('mm123mm123');
  await till.getByText('Save what you have changed').waitFor();
  await part('Devices at the tax authority').getByRole('button', { name: 'Save changes' }).click();
  await till.getByRole('button', { name: 'Register it' }).click();
  await till.getByText(`The authority has refused ${TILL}`).waitFor();
  await till.getByText('(43)').waitFor();
  await looksRight(owner, 'issuer-till-refused');
  // What is typed of another till meanwhile stays.
  const other = owner.page.getByRole('group', { name: /TILL1/ }).getByLabel('Used until');
  await other.fill('2099-12-31');
  await till.getByRole('button', { name: 'Register it' }).click();
  await till.getByText('Registered', { exact: true }).waitFor();
  expect(await till.getByLabel('Code of the authority').inputValue()).toMatch(/^[a-z]{2}\d{3}[a-z]{2}\d{3}$/);
  expect(await other.inputValue()).toBe('2099-12-31');
  await part('Devices at the tax authority').getByRole('button', { name: 'Save changes' }).click();
  await part('Devices at the tax authority').getByText('Saved').waitFor();
  expect(await call('GET', '/issuer')).toMatchObject({ devices: [{ valid_to: '2099-12-31' }, { state: 'registered' }] });
});

const certificate = new URL('../fixtures/test-only.p12', import.meta.url).pathname;
const upload = async (): Promise<void> => {
  await owner.page.getByLabel('File').setInputFiles(certificate);
  await owner.page.locator('input[type=password]').first().fill('test-only');
  await owner.press('button', 'Upload');
};

test('a certificate is uploaded and checked; its successor follows, and takes over when it is asked to', async () => {
  await owner.page.goto(`${origin}/app/settings/authority`);
  await owner.heading('Tax authority');
  await upload();
  await part('Certificate').getByText('Valid').waitFor();
  await part('Check').getByRole('button', { name: 'Check now' }).click();
  await part('Check').getByRole('listitem').nth(3).waitFor();
  await looksRight(owner, 'authority-checked');
  await upload();
  await part('Its successor').getByText('Valid').waitFor();
  await looksRight(owner, 'authority-successor');
  await part('Its successor').getByRole('button', { name: 'Let it take over now' }).click();
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Let it take over now' }).click();
  await part('Its successor').waitFor({ state: 'detached' });
  expect(await call('GET', '/fiscal-credentials')).toMatchObject({ successor: null });
  await part('Certificate').getByRole('button', { name: 'Remove' }).click();
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await owner.sees('No certificate yet');
  expect(await part('Upload the certificate').getByText('Saved').count()).toBe(0);
});

test('an owner chooses Spain after that, and comes to a registered invoice by what the pages say', async () => {
  await chooses('the tax agency of Spain (VERI*FACTU)');
  await step(/^Who issues.*Done/).waitFor();
  await looksRight(owner, 'authority-spain');
  await owner.press('link', 'Issuer & numbers');
  expect(await part('Issuer').getByLabel('Installation').inputValue()).not.toBe('');
  for (const [label, tax_regime] of [
    ['20 Simplified', '20'],
    ['The general one', null],
  ] as const) {
    await part('Issuer').getByLabel('Scheme of VAT').selectOption({ label });
    await part('Issuer').getByRole('button', { name: 'Save changes' }).click();
    await part('Issuer').getByText('Saved').waitFor();
    expect(await call('GET', '/issuer')).toMatchObject({ tax_regime });
  }
  await looksRight(owner, 'issuer-spain');
  await owner.press('link', 'Invoices');
  await owner.press('link', 'New invoice');
  await issues({ Name: 'Cliente SL', 'Tax id': 'B12345674', Country: 'ES' });
  await looksRight(owner, 'invoice-spain');
});

test('no page did what its policy forbids', () => expect(owner.faults).toEqual([]));
