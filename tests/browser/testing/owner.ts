import type { Browser } from 'playwright-core';
import type { System } from '@svc/testkit';
import { Visitor } from './visitor.ts';

export const PASSWORD = 'Bridge-and-lantern-7';

/** The owner of the demo account: opens the link of the first start, and sets a password. Returns the origin of the pages, too. */
export async function signInByLink(browser: Browser, system: System): Promise<{ owner: Visitor; origin: string }> {
  const { sign_in_url: link } = system.setup as System['setup'] & { sign_in_url: string };
  const owner = await Visitor.in(browser);
  await owner.page.goto(link);
  await owner.press('button', 'Continue');
  await owner.write('Name', 'Ana Owner');
  await owner.write('New password', PASSWORD);
  await owner.press('button', 'Set the password');
  await owner.heading('Today');
  return { owner, origin: new URL(link).origin };
}
