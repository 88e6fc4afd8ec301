import { eventually } from '@svc/testkit';
import { HOSTILE } from './testing/fill.ts';
import { looksRight } from './testing/looks.ts';
import type { Visitor } from './testing/visitor.ts';
import { withOwner } from './testing/with-owner.ts';

let owner: Visitor;
let origin: string;
withOwner(async (opened) => {
  ({ owner, origin } = opened);
  const { call } = opened;
  const { id: product_id } = await call('POST', '/products', { name: HOSTILE, unit_price: 10, currency: 'EUR', tax_rate: 20 });
  const { id: gone } = await call('POST', '/products', { name: 'Discontinued', unit_price: 10, currency: 'EUR', tax_rate: 20 });
  for (const [n, name] of ['Lagertha', HOSTILE, 'Floki'].entries()) {
    const { id: customer_id } = await call('POST', '/customers', { name });
    const { id } = await call('POST', '/invoices', {
      customer_id,
      items: [{ product_id, quantity: n + 1 }, ...(n === 0 ? [{ product_id: gone, quantity: 1 }] : [])],
    });
    await call('POST', `/invoices/${String(id)}/submit`);
  }
  await call('DELETE', `/products/${String(gone)}`);
  await eventually(async () => {
    const rows = (await call('GET', '/reports/receivables'))['data'] as object[];
    return rows.length === 3;
  }, 'three rows of receivables');
});

const names = ['sales', 'tax', 'receivables', 'customers', 'products', 'submissions', 'numbering'] as const;

test.each(names)('the report %s has a table, and is read in light, dark and a narrow window', async (name) => {
  await owner.page.goto(`${origin}/app/reports?report=${name}&cite=true`);
  await owner.heading('Reports');
  await owner.page.getByRole('table').waitFor();
  await owner.page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
  expect(await owner.page.getByRole('table').getByRole('row').count()).toBeGreaterThan(1);
  await looksRight(owner, `report-${name}`);
});

test('products stand in a report by their names, also those that were deleted', async () => {
  await owner.page.goto(`${origin}/app/reports?report=products`);
  await owner.page.getByRole('table').getByRole('link', { name: HOSTILE }).waitFor();
  await owner.page.getByRole('table').getByRole('link', { name: 'Discontinued' }).waitFor();
});

test('a figure leads to its documents, and the report to its file', async () => {
  await owner.page.goto(`${origin}/app/reports?report=sales&group_by=customer`);
  await owner.heading('Reports');
  await owner.page.getByLabel('Figures alone').selectOption('true');
  await owner.page.getByRole('link', { name: 'INV-2026-000001' }).waitFor();
  await looksRight(owner, 'report-figures');
  const [file] = await Promise.all([owner.page.waitForEvent('download'), owner.press('button', 'CSV')]);
  expect(file.suggestedFilename()).toMatch(/\.csv$/);
  await owner.press('link', 'INV-2026-000001');
  await owner.heading('INV-2026-000001');
});

test('a month is closed by five clicks: sales, tax, receivables, the certificate of numbers, a file, and all PDFs', async () => {
  await owner.page.goto(`${origin}/app`);
  await owner.heading('Today');
  owner.clicks = 0;
  await owner.press('link', 'Reports');
  await owner.heading('Reports');
  await owner.press('link', 'Month end');
  await owner.heading('Month end');
  await owner.page.getByLabel('Month', { exact: true }).fill(new Date().toISOString().slice(0, 7));
  await owner.sees('No number is missing');
  await owner.sees(/Total 84\.00/);
  await looksRight(owner, 'month-end');
  const [file] = await Promise.all([owner.page.waitForEvent('download'), owner.press('button', 'Numbering, CSV')]);
  expect(file.suggestedFilename()).toMatch(/\.csv$/);
  await owner.press('button', 'All PDFs');
  await owner.heading('Exports');
  const [zip] = await Promise.all([owner.page.waitForEvent('download'), owner.press('button', /^Download PDFs/)]);
  expect(zip.suggestedFilename()).toMatch(/^pdf-.*\.zip$/);
  await looksRight(owner, 'exports-done');
  expect(owner.clicks).toBeLessThanOrEqual(5);
});

test('each figure of a month leads to its report, with the documents', async () => {
  const month = new Date().toISOString().slice(0, 7);
  for (const name of ['Sales', 'Tax', 'Receivables', 'Numbering']) {
    await owner.page.goto(`${origin}/app/reports/month-end?month=${month}`);
    await owner.press('link', `${name} in detail`);
    await owner.heading('Reports');
    await owner.page.getByRole('table', { name }).getByRole('link', { name: 'INV-2026-000001' }).first().waitFor();
  }
});

test('a long name in a list leaves dates whole', async () => {
  await owner.page.goto(`${origin}/app/invoices`);
  const days = owner.page.getByRole('cell').locator('time');
  await days.first().waitFor();
  expect(await days.evaluateAll((all) => all.map((one) => one.getClientRects().length))).toEqual([1, 1, 1]);
  await looksRight(owner, 'invoices-long-name');
});

test('an export has the filters of the list that leads to it', async () => {
  await owner.page.goto(`${origin}/app/invoices?q=Lagertha`);
  await owner.press('link', 'Export');
  await owner.heading('Exports');
  await owner.page.getByLabel('As', { exact: true }).selectOption('csv');
  await owner.press('button', 'Make the ZIP');
  await owner.page.getByRole('row', { name: /CSV.*1 of 1/ }).waitFor();
});

test('an export of what is overdue is of the documents that were due, whenever they were issued', async () => {
  await owner.page.goto(`${origin}/app/invoices?payment_status=unpaid,partial&due_to=2026-01-01`);
  await owner.sees('Nothing matches these filters');
  await owner.press('link', 'Export');
  await owner.heading('Exports');
  await owner.sees('Only due until');
  expect(await owner.page.getByLabel(/^From/).inputValue()).toBe('2000-01-01');
  await owner.page.getByLabel('As', { exact: true }).selectOption('jsonl');
  await owner.press('button', 'Make the ZIP');
  await owner.page.getByRole('row', { name: /JSON.*0 of 0/ }).waitFor();
});

test('no page did what its policy forbids', () => expect(owner.faults).toEqual([]));
