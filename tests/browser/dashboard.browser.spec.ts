import { totpCode } from '@svc/kernel/testing/totp-code';
import { startReceiver, type System } from '@svc/testkit';
import type { Browser } from 'playwright-core';
import { fill, HOSTILE } from './testing/fill.ts';
import { looksRight } from './testing/looks.ts';
import { PASSWORD, proves, provesIfAsked } from './testing/owner.ts';
import { Visitor } from './testing/visitor.ts';
import { withOwner } from './testing/with-owner.ts';

let system: System;
let browser: Browser;
let owner: Visitor;
let origin: string;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
/** The status that the receiver of webhooks answers. */
let answer = 503;
withOwner(
  async (opened) => {
    ({ system, browser, owner, origin } = opened);
    await fill(system, receiver.origin);
  },
  async () => {
    receiver = await startReceiver(() => answer);
    return { STEP_UP_FOR: '3s', WEBHOOKS_ALLOW: receiver.origin };
  },
);
afterAll(() => receiver?.close());

const pages: Record<string, { path: string; heading: string }> = {
  today: { path: '/app', heading: 'Today' },
  'today-live': { path: '/app?live=true', heading: 'Today' },
  requests: { path: '/app/settings/requests', heading: 'Requests' },
  'requests-groups': { path: '/app/settings/requests?view=groups', heading: 'Requests' },
  members: { path: '/app/settings/members', heading: 'Members' },
  general: { path: '/app/settings/general', heading: 'General' },
  audit: { path: '/app/settings/audit', heading: 'Audit' },
  'go-live': { path: '/app/go-live', heading: 'Go live' },
  profile: { path: '/app/profile', heading: 'Your profile' },
  'api-keys': { path: '/app/settings/api-keys', heading: 'API Keys' },
  webhooks: { path: '/app/webhooks', heading: 'Webhooks' },
  invoices: { path: '/app/invoices', heading: 'Invoices' },
  exports: { path: '/app/exports?types=standard,credit_note&q=INV', heading: 'Exports' },
  receipts: { path: '/app/receipts', heading: 'Receipts' },
};

test.each(Object.keys(pages))('%s can be used in light and dark, in a narrow window, and by who does not see it', async (name) => {
  const { path, heading } = pages[name] as { path: string; heading: string };
  await owner.page.goto(origin + path);
  await owner.heading(heading);
  await owner.page.waitForLoadState('networkidle');
  await looksRight(owner, name);
});

test('a section of Today that cannot be read says so beside the others, and is read again by a press', async () => {
  const unread = { kind: 'ending', count: null, oldest: null, rows: [] };
  await owner.page.route(
    '**/console/today',
    async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: object[] };
      await route.fulfill({ response, json: { data: [...data, unread] } });
    },
    { times: 1 },
  );
  await owner.page.goto(`${origin}/app`);
  const section = owner.page.getByRole('region', { name: 'Keys and certificates that end soon' });
  await section.getByText('cannot be read at the moment').waitFor();
  await owner.page.getByRole('region', { name: 'Refused by the tax authority' }).waitFor();
  await looksRight(owner, 'today-unread');
  await section.getByRole('button', { name: 'Try again' }).click();
  await section.waitFor({ state: 'detached' });
});

test('why the webhook of an invoice did not arrive is seen by three clicks from the invoice, and it is sent again', async () => {
  await owner.page.goto(`${origin}/app/invoices`);
  await owner.press('link', 'INV-2026-000001');
  await owner.heading('INV-2026-000001');
  await looksRight(owner, 'invoice');
  owner.clicks = 0;
  await owner.press('link', /^Webhook invoice\.submitted/);
  await owner.heading('invoice.submitted');
  await owner.sees('503');
  await looksRight(owner, 'delivery');
  answer = 200;
  await owner.press('button', 'Send again');
  await owner.sees('Delivered');
  expect(owner.clicks).toBeLessThanOrEqual(3);
});

test('a key with two permissions is made, copied once and revoked by five clicks and the form', async () => {
  await owner.page.goto(`${origin}/app`);
  await owner.heading('Today');
  owner.clicks = 0;
  await owner.press('link', 'API Keys');
  await owner.press('button', 'Create New Key');
  await owner.write('Name', 'Web shop');
  // The form, by keyboard.
  for (const permission of ['Invoices: Read', 'Invoices: Write']) await owner.page.getByLabel(permission).press('Space');
  await looksRight(owner, 'api-keys-form');
  await owner.page.getByLabel('Name').press('Enter');
  await owner.sees('Copy this value now');
  await looksRight(owner, 'api-key-value');
  await owner.press('button', 'Copy');
  const value: string = await owner.page.evaluate('navigator.clipboard.readText()');
  expect(value).toMatch(/^svc_test_/);
  const call = () => fetch(`${system.url}/v1/invoices`, { headers: { authorization: `Bearer ${value}` } });
  expect((await call()).status).toBe(200);
  await owner.press('button', 'Revoke');
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await owner.sees('This key was revoked.');
  expect(owner.clicks + 1).toBe(5);
  expect((await call()).status).toBe(401);
  expect(await owner.page.content()).not.toContain(value);
});

test('a name with markup and a wide word stays a name', async () => {
  await owner.page.goto(`${origin}/app/settings/api-keys`);
  await owner.press('link', HOSTILE);
  await owner.heading(HOSTILE);
  await owner.page.waitForLoadState('networkidle');
  await looksRight(owner, 'api-key-hostile');
});

test('a live key needs the password again, and its value is nowhere once its page was left', async () => {
  await owner.page.goto(`${origin}/app/settings/api-keys?create=true&live=true`);
  await owner.write('Name', 'Live shop');
  await owner.page.getByLabel('Invoices: Read').check();
  await owner.press('button', 'Create key');
  await owner.sees('Is it still you?');
  await looksRight(owner, 'step-up');
  await proves(owner, 'wrong password here');
  await owner.sees('That is not right');
  await proves(owner);
  await owner.sees('Copy this value now');
  const value = await owner.page.locator('code', { hasText: /^svc_live_\w{30}/ }).innerText();
  await owner.press('link', 'Today');
  await owner.page.goBack();
  await owner.heading('Live shop');
  expect(await owner.page.content()).not.toContain(value);
});

test('signing in by password: what is wrong is said, and the page that was asked for follows', async () => {
  const visitor = await Visitor.in(browser);
  await visitor.page.goto(`${origin}/app/settings/api-keys`);
  await visitor.heading('Sign in');
  await looksRight(visitor, 'sign-in');
  await visitor.write('E-mail', 'demo@example.com');
  await visitor.write('Password', 'not the password');
  await visitor.press('button', 'Sign in');
  await visitor.page.getByRole('alert').waitFor();
  await looksRight(visitor, 'sign-in-wrong');
  await visitor.write('Password', PASSWORD);
  await visitor.press('button', 'Sign in');
  await visitor.heading('API Keys');
  expect(visitor.faults).toEqual([]);
  await visitor.context.close();
});

test('a bookkeeper is invited by three clicks and the form, joins, and turns on two factors', async () => {
  await owner.page.goto(`${origin}/app`);
  await owner.heading('Today');
  owner.clicks = 0;
  await owner.press('link', 'Members');
  await owner.press('button', 'Invite a member');
  await owner.write('E-mail', 'books@example.com');
  await owner.page.getByLabel('E-mail').press('Enter');
  await provesIfAsked(owner, 'Hand this link to');
  await looksRight(owner, 'member-link');
  await owner.press('button', 'Copy');
  expect(owner.clicks).toBe(3);
  const link: string = await owner.page.evaluate('navigator.clipboard.readText()');

  const books = await Visitor.in(browser);
  await books.page.goto(link);
  await books.press('button', 'Continue');
  await books.heading('Set your password');
  await looksRight(books, 'set-password');
  await books.write('New password', 'password');
  await books.press('button', 'Set the password');
  await books.sees('Send text of 12 to 128 characters');
  await looksRight(books, 'set-password-wrong');
  await books.write('New password', PASSWORD);
  await books.press('button', 'Set the password');
  await books.heading('Today');
  expect(await books.page.getByRole('link', { name: 'Members' }).count()).toBe(0);

  await books.page.goto(`${origin}/app/profile`);
  await books.press('button', 'Turn on two factors');
  await books.page.getByRole('dialog').getByRole('button', { name: 'Turn on two factors' }).click();
  await provesIfAsked(books, 'Scan this');
  await looksRight(books, 'two-factors');
  const secret = await books.page.getByRole('dialog').locator('code').innerText();
  await books.write('Code', totpCode(secret));
  await books.press('button', 'Confirm the code');
  await books.sees('Recovery codes');
  const [recovery = ''] = (await books.page.getByRole('dialog').locator('code').innerText()).split(' ');
  await books.press('button', 'I have kept them');
  await books.page.getByRole('button', { name: 'Demo' }).click();
  await looksRight(books, 'account-menu');
  await books.press('menuitem', 'Sign out');
  await books.heading('Sign in');
  await books.write('E-mail', 'books@example.com');
  await books.write('Password', PASSWORD);
  await books.press('button', 'Sign in');
  await books.heading('Enter your code');
  await looksRight(books, 'enter-code');
  await books.write('Code', recovery);
  await books.press('button', 'Continue');
  await books.heading('Your profile');
  expect(books.faults).toEqual([]);
  expect(await books.kept()).toEqual([]);
  await books.context.close();
});

test('the search is opened by a key, moved in by arrows, and left by Escape', async () => {
  await owner.page.goto(`${origin}/app`);
  await owner.heading('Today');
  await owner.page.keyboard.press('/');
  await owner.page.getByRole('combobox', { name: 'Search' }).fill('Lagertha');
  await owner.page.getByRole('option').first().waitFor();
  await looksRight(owner, 'search');
  await owner.page.keyboard.press('ArrowDown');
  await owner.page.keyboard.press('Escape');
  await owner.page.getByRole('combobox').waitFor({ state: 'detached' });
});

test('a link that was used says what to do', async () => {
  const visitor = await Visitor.in(browser);
  await visitor.page.goto((system.setup as System['setup'] & { sign_in_url: string }).sign_in_url);
  expect(visitor.page.url()).not.toContain('token');
  await visitor.press('button', 'Continue');
  await visitor.heading('Sign in to use this link');
  await looksRight(visitor, 'link-used');
  await visitor.context.close();
});

test('no page did what its policy forbids, and the browser keeps nothing', async () => {
  expect(owner.faults).toEqual([]);
  expect(await owner.kept()).toEqual([]);
});
