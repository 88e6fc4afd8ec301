import type { Browser } from 'playwright-core';
import type { System } from '@svc/testkit';
import { Visitor } from './visitor.ts';

export const PASSWORD = 'Bridge-and-lantern-7';

/** A person who opens a one-time link, and sets a password. */
export async function joinByLink(browser: Browser, link: string, name: string): Promise<Visitor> {
  const visitor = await Visitor.in(browser);
  await visitor.page.goto(link);
  await visitor.press('button', 'Continue');
  await visitor.write('Name', name);
  await visitor.write('New password', PASSWORD);
  await visitor.press('button', 'Set the password');
  await visitor.heading('Today');
  return visitor;
}

/** The owner of the demo account, by the link of the first start. Returns the origin of the pages, too. */
export async function signInByLink(browser: Browser, system: System): Promise<{ owner: Visitor; origin: string }> {
  const { sign_in_url: link } = system.setup as System['setup'] & { sign_in_url: string };
  return { owner: await joinByLink(browser, link, 'Ana Owner'), origin: new URL(link).origin };
}

/** Answers the question that comes before what is dangerous. */
export async function proves({ page }: Visitor, password = PASSWORD): Promise<void> {
  const field = page.getByRole('dialog', { name: 'Is it still you?' }).locator('input[type=password]');
  await field.fill(password);
  await field.press('Enter');
}

/** The same where it is asked, until the text that follows is there. */
export async function provesIfAsked(visitor: Visitor, next: string): Promise<void> {
  const dialog = visitor.page.getByRole('dialog', { name: 'Is it still you?' });
  const text = visitor.page.getByText(next).first();
  await dialog.or(text).first().waitFor();
  if (await dialog.isVisible()) await proves(visitor);
  await text.waitFor();
}

/** Another member of the account, signed in by an invitation. */
export async function joins(browser: Browser, { owner, origin, role }: { owner: Visitor; origin: string; role: string }): Promise<Visitor> {
  const data = { email: `${role}-${Date.now()}@example.com`, role };
  const answer = await owner.context.request.post(`${origin}/console/members`, { data, headers: { origin } });
  const { invitation_url: link } = (await answer.json()) as { invitation_url?: string };
  if (link === undefined) throw new Error(await answer.text());
  const member = await Visitor.in(browser);
  await member.page.goto(link);
  await member.press('button', 'Continue');
  await member.write('New password', PASSWORD);
  await member.press('button', 'Set the password');
  await member.heading('Today');
  return member;
}
