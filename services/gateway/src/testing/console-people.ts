import type { Role } from '@svc/contracts/console/roles';
import { ensureOwner } from '../members/first-owner.ts';
import { Browser, code, type Page, tokenOf } from './browser.ts';
import type { EdgeApp } from './edge-app.ts';

export const PASSWORD = 'Bridge-and-lantern-7';

/** Owners and members of accounts, each with a browser of its own. */
export function consoleOf(edge: () => EdgeApp) {
  let last = 0;
  const browser = (): Browser => {
    last += 1;
    return new Browser(() => edge().port, `127.20.${Math.floor(last / 250)}.${(last % 250) + 1}`);
  };

  /** Spends the link and sets a password. */
  async function joined(link: string): Promise<Browser> {
    const self = browser();
    const answers = [
      await self.call('POST', '/session', { body: { token: tokenOf(link) } }),
      await self.call('PATCH', '/me', { body: { name: 'Ana', password: { new: PASSWORD } } }),
    ];
    if (answers.some(({ status }) => status !== 200)) throw new Error(answers.map(code).join(', '));
    return self;
  }

  return {
    browser,
    joined,
    /** An account with an owner. */
    async owner(email = `owner${(last += 1)}@example.com`) {
      const { id: account, ...rest } = await edge().account({ email });
      const url = await ensureOwner(edge().gateway.accounts, { account, email }, { type: 'system', id: 'operator' });
      return { self: await joined(url ?? ''), account, email, ...rest };
    },
    async invited(by: Browser, role: Role) {
      const email = `${role}${(last += 1)}@example.com`;
      const { body } = await by.call('POST', '/members', { body: { email, role } });
      return { self: await joined(body['invitation_url'] as string), email, id: body['id'] as string };
    },
    /** Does not wait for the answer, which may need the clock to go on. */
    signIn(email: string, password = PASSWORD, from = browser()): { from: Browser; answered: Promise<Page> } {
      return { from, answered: from.call('POST', '/session', { body: { email, password } }) };
    },
  };
}
