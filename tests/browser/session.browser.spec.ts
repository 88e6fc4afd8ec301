import { startReceiver, type System } from '@svc/testkit';
import type { Page } from 'playwright-core';
import { fill } from './testing/fill.ts';
import type { Visitor } from './testing/visitor.ts';
import { withOwner } from './testing/with-owner.ts';

let system: System;
let owner: Visitor;
let origin: string;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
withOwner(
  async (opened) => {
    ({ system, owner, origin } = opened);
    await fill(system, receiver.origin);
  },
  async () => {
    receiver = await startReceiver(() => 200);
    return { WEBHOOKS_ALLOW: receiver.origin };
  },
);
afterAll(() => receiver?.close());

const heading = (page: Page, name: string): Promise<void> => page.getByRole('heading', { name, level: 1 }).waitFor({ timeout: 8_000 });

test('the switch of the environment on a page of one document leads to the list', async () => {
  await owner.page.goto(`${origin}/app/invoices`);
  await owner.press('link', 'INV-2026-000001');
  await owner.heading('INV-2026-000001');
  await owner.press('link', 'Live');
  await owner.heading('Invoices');
  expect(new URL(owner.page.url())).toMatchObject({ pathname: '/app/invoices', search: '?live=true' });
});

test('a list shows nothing of the other environment while its own is on the way', async () => {
  await owner.page.goto(`${origin}/app/invoices`);
  const invoice = owner.page.getByRole('link', { name: 'INV-2026-000001' });
  await invoice.waitFor();
  const released = Promise.withResolvers<void>();
  await owner.page.route('**/console/v1/invoices?*', async (route) => {
    await released.promise;
    await route.continue();
  });
  const asked = owner.page.waitForRequest('**/console/v1/invoices?*');
  await owner.press('link', 'Live');
  await asked;
  await owner.page.locator('[data-env=live] table[aria-busy=true]').waitFor();
  expect(await invoice.count()).toBe(0);
  released.resolve();
  await owner.page.unrouteAll({ behavior: 'wait' });
});

test('a dialog ends with the page of its invoice', async () => {
  const { page } = owner;
  const search = async (number: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill(number);
    await page.getByRole('option', { name: new RegExp(number) }).waitFor();
    await page.keyboard.press('Enter');
    await owner.heading(number);
  };
  await page.goto(`${origin}/app`);
  await owner.heading('Today');
  await search('INV-2026-000004');
  await search('INV-2026-000001');
  await owner.press('button', 'Record a payment');
  const form = page.getByRole('dialog', { name: 'Record a payment' });
  await form.waitFor();
  await search('INV-2026-000004');
  await form.waitFor({ state: 'detached' });
});

test('a page past the end of a list leads to the last one', async () => {
  await owner.page.goto(`${origin}/app/invoices?page=50`);
  await owner.page.getByRole('link', { name: 'INV-2026-000001' }).waitFor();
  expect(new URL(owner.page.url()).search).toBe('');
});

test('Enter in the search opens what was found for the text that is there, once it has come', async () => {
  await owner.page.goto(`${origin}/app`);
  await owner.heading('Today');
  await owner.page.keyboard.press('/');
  const field = owner.page.getByRole('combobox', { name: 'Search' });
  await field.fill('INV-2026-000001');
  await owner.page.getByRole('option', { name: /INV-2026-000001/ }).waitFor();
  await owner.page.route('**/console/search?q=INV-2026-000002', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  await field.fill('INV-2026-000002');
  await field.press('Enter');
  await owner.heading('INV-2026-000002');
});

test('the link to a paper is another one before it ends', async () => {
  await owner.page.clock.install();
  await owner.page.goto(`${origin}/app/invoices`);
  await owner.press('link', 'INV-2026-000001');
  const link = owner.page.getByRole('link', { name: 'Open' });
  const first = await link.getAttribute('href');
  await owner.page.clock.fastForward('14:00');
  const renewed = async (): Promise<boolean> => (await link.getAttribute('href')) !== first;
  while (!(await renewed())) await new Promise((resolve) => setTimeout(resolve, 100));
});

describe('with two accounts, in two tabs of one browser', () => {
  let other: Page;
  beforeAll(async () => {
    const headers = { authorization: `Bearer ${system.setup.admin_token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'Second Ltd', plan: 'starter', email: 'demo@example.com' });
    const answer = await fetch(`${system.ops}/admin/accounts`, { method: 'POST', headers, body });
    if (answer.status !== 201) throw new Error(await answer.text());
    other = await owner.context.newPage();
  });

  test('each shows the account that the session acts in: what was read of the other is gone, and nothing is live', async () => {
    await owner.page.goto(`${origin}/app?live=true`);
    await owner.heading('Today');
    await other.goto(`${origin}/app/invoices`);
    await other.getByRole('link', { name: 'INV-2026-000001' }).waitFor();
    await owner.page.getByRole('button', { name: 'Demo' }).click();
    await owner.page.getByRole('menuitem', { name: /Second Ltd/ }).click();
    await owner.page.getByRole('button', { name: 'Second Ltd' }).waitFor();
    expect(new URL(owner.page.url()).search).toBe('');
    // The next read of the other tab is refused, and it shows the account of the session.
    await other.getByRole('link', { name: 'INV-2026-000001' }).click();
    await other.getByRole('button', { name: 'Second Ltd' }).waitFor();
    await heading(other, 'Today');
    expect(await other.getByText('INV-2026-000001').count()).toBe(0);
  });

  test('the answer to what was done in one account changes neither the unfinished form nor the page of the next', async () => {
    const { page } = owner;
    const choose = async (now: string, next: string): Promise<void> => {
      await page.getByRole('button', { name: now }).click();
      await page.getByRole('menuitem', { name: new RegExp(next) }).click();
      await page.getByRole('button', { name: next }).waitFor();
      await owner.heading('Today');
    };
    const description = page.getByLabel('Description, line 1', { exact: true });
    await page.goto(`${origin}/app/invoices/new`);
    await description.fill('Half a thought');
    await owner.sees('Kept for you');
    await choose('Second Ltd', 'Demo');

    await page.goto(`${origin}/app/invoices/new`);
    await page.getByRole('combobox', { name: 'Customer' }).fill('lager');
    await owner.press('option', /Lagertha/);
    await description.fill('Rope');
    const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/console/v1/invoices', async (route) => {
      const response = await route.fetch();
      arrived.resolve();
      await released.promise;
      await route.fulfill({ response });
    });
    await owner.press('button', 'Save as a draft');
    await arrived.promise;
    await choose('Demo', 'Second Ltd');
    const answered = page.waitForResponse('**/console/v1/invoices');
    released.resolve();
    await answered;
    await page.waitForTimeout(500);
    expect(new URL(page.url()).pathname).toBe('/app');
    await page.unrouteAll();
    await page.goto(`${origin}/app/invoices/new`);
    await owner.sees('You have left a form unfinished');
  });

  test('no read changes the account: a tab that is come back to leaves it as it is', async () => {
    await other.bringToFront();
    await owner.page.bringToFront();
    await owner.page.reload();
    await owner.page.getByRole('button', { name: 'Second Ltd' }).waitFor();
  });
});

test('a session that has ended leads to the sign-in, and is not asked for without end', async () => {
  await owner.page.goto(`${origin}/app/settings/members`);
  await owner.heading('Members');
  let asked = 0;
  owner.page.on('request', (request) => void (asked += request.url().endsWith('/console/me') ? 1 : 0));
  await owner.context.clearCookies();
  await owner.press('link', 'Today');
  await owner.heading('Sign in');
  await owner.sees('Your session has ended');
  await owner.sees('One ends some time after its last use');
  await owner.sees('An owner or admin of your account makes a link for a new one');
  await owner.page.waitForLoadState('networkidle');
  expect(asked).toBeLessThan(6);
});
