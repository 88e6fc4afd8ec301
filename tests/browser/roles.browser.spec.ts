import { startReceiver } from '@svc/testkit';
import type { Browser } from 'playwright-core';
import { fill } from './testing/fill.ts';
import { openRegistered } from './testing/invoices.ts';
import { joins } from './testing/owner.ts';
import type { Visitor } from './testing/visitor.ts';
import { withOwner } from './testing/with-owner.ts';

let browser: Browser;
let owner: Visitor;
let origin: string;
let invoice: string;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
withOwner(
  async (opened) => {
    ({ browser, owner, origin } = opened);
    await fill(opened.system, receiver.origin);
    invoice = await openRegistered(opened);
  },
  async () => {
    receiver = await startReceiver(() => 200);
    return { WEBHOOKS_ALLOW: receiver.origin };
  },
);
afterAll(() => receiver?.close());

const addresses = (member: Visitor): Promise<string[]> =>
  member.page.locator('nav a[href^="/app"]').evaluateAll((links) => links.map((link) => (link as unknown as { href: string }).href));

// The navigation of a developer is not the same in both environments.
test.each(['owner', 'admin', 'accountant', 'cashier', 'viewer', 'developer'])(
  '%s: every page that the navigation offers can be read',
  async (role) => {
    const member = role === 'owner' ? owner : await joins(browser, { owner, origin, role });
    const refused: string[] = [];
    member.page.on('response', (response) => {
      if (response.status() >= 400 && response.status() !== 404) refused.push(`${response.status()} ${response.url()}`);
    });
    for (const live of role === 'developer' ? ['', '?live=true'] : ['?live=true']) {
      await member.page.goto(`${origin}/app${live}`);
      await member.heading('Today');
      for (const address of new Set(await addresses(member))) {
        await member.page.goto(address);
        await member.page.getByRole('heading', { level: 1 }).waitFor();
        await member.page.waitForLoadState('networkidle');
        const failures = await member.page.getByRole('alert').allInnerTexts();
        if (failures.length > 0) refused.push(`${address}: ${failures.join(' ')}`);
      }
    }
    expect(refused).toEqual([]);
    expect(member.faults).toEqual([]);
    if (member !== owner) await member.context.close();
  },
);

test('a viewer opens an invoice, and is offered nothing that changes it', async () => {
  const viewer = await joins(browser, { owner, origin, role: 'viewer' });
  await viewer.page.goto(`${origin}/app/invoices/${invoice}`);
  await viewer.page.locator('iframe').waitFor();
  for (const name of ['Record a payment', 'Credit', 'More']) expect(await viewer.page.getByRole('button', { name }).count()).toBe(0);
  for (const path of ['/app/invoices/new', `/app/invoices/${invoice}/credit`, '/app/settings/members']) {
    await viewer.page.goto(origin + path);
    await viewer.sees('Your role does not have this page');
  }
  await viewer.context.close();
});

test('a developer is offered no file of live documents, and all of test', async () => {
  const developer = await joins(browser, { owner, origin, role: 'developer' });
  await developer.page.goto(`${origin}/app/invoices`);
  await developer.page.getByRole('link', { name: 'Export' }).waitFor();
  for (const path of ['/app/invoices?live=true', '/app/receipts?live=true', '/app/reports?live=true', '/app/reports/month-end?live=true']) {
    await developer.page.goto(origin + path);
    await developer.page.getByRole('heading', { level: 1 }).waitFor();
    await developer.page.waitForLoadState('networkidle');
    expect(await developer.page.getByRole('link', { name: 'Export' }).count()).toBe(0);
    expect(await developer.page.getByRole('button', { name: /CSV|PDFs/ }).count()).toBe(0);
  }
  await developer.page.goto(`${origin}/app/exports?live=true`);
  await developer.sees('Your role sees no names of live documents');
  await developer.context.close();
});
