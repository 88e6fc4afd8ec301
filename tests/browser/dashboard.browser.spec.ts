import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startSystem, type System } from '@svc/testkit';
import type { Browser } from 'playwright-core';
import { fill } from './testing/fill.ts';
import { PASSWORD, signInByLink } from './testing/owner.ts';
import { openBrowser, Visitor } from './testing/visitor.ts';

/** Where a picture of each page is kept; nowhere without it. */
const pictures = process.env['PICTURES'];
const picture = async ({ page }: Visitor, name: string): Promise<void> => {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true, animations: 'disabled' });
};

let system: System;
let browser: Browser;
let owner: Visitor;
let origin: string;
beforeAll(async () => {
  if (pictures) mkdirSync(pictures, { recursive: true });
  [system, browser] = await Promise.all([startSystem(), openBrowser()]);
  ({ owner, origin } = await signInByLink(browser, system));
  await fill(system);
});
afterAll(async () => {
  await browser?.close();
  await system?.stop();
});

const views = [
  { view: 'light', width: 1280, scheme: 'light' },
  { view: 'dark', width: 1280, scheme: 'dark' },
  { view: 'narrow', width: 360, scheme: 'light' },
] as const;

/** In each view: no wider than the window, and no rule of accessibility broken. */
async function looksRight(visitor: Visitor, name: string): Promise<void> {
  await visitor.page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
  const wrong: string[] = [];
  for (const { view, width, scheme } of views) {
    await visitor.page.setViewportSize({ width, height: 860 });
    await visitor.page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await picture(visitor, `${name}-${view}`);
    const tooWide = await visitor.tooWide();
    if (tooWide > 0) wrong.push(`${view}: ${tooWide} px wide`);
    wrong.push(...(await visitor.violations()).map((text) => `${view}: ${text}`));
  }
  await visitor.page.setViewportSize({ width: 1280, height: 860 });
  await visitor.page.emulateMedia({ colorScheme: 'light' });
  expect(wrong).toEqual([]);
}

const pages: Record<string, { path: string; heading: string }> = {
  today: { path: '/app', heading: 'Today' },
  'today-live': { path: '/app?live=true', heading: 'Today' },
  requests: { path: '/app/settings/requests', heading: 'Requests' },
  'requests-groups': { path: '/app/settings/requests?view=groups', heading: 'Requests' },
  'api-keys': { path: '/app/settings/api-keys', heading: 'API Keys' },
};

test.each(Object.keys(pages))('%s can be used in light and dark, in a narrow window, and by who does not see it', async (name) => {
  const { path, heading } = pages[name] as { path: string; heading: string };
  await owner.page.goto(origin + path);
  await owner.heading(heading);
  await owner.page.waitForLoadState('networkidle');
  await looksRight(owner, name);
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

test('the value of a key is nowhere once its page was left, and a live key needs the password again', async () => {
  await owner.page.goto(`${origin}/app/settings/api-keys?create=true&live=true`);
  await owner.write('Name', 'Live shop');
  await owner.page.getByLabel('Invoices: Read').check();
  await owner.press('button', 'Create key');
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
