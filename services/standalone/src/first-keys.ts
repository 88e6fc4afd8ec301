import { existsSync, writeFileSync } from 'node:fs';
import { demoSignInUrl, ensureDemoAccount, moreDemoKeys, type SessionsContext, type DemoAccount } from '@svc/gateway';
import type { SystemConfig } from './config.ts';
import { keepPrivately } from './private-files.ts';

/** The file in the data folder with the first keys, where standard output is no terminal and SETUP_FILE is not given. */
export const FIRST_KEYS = 'first-keys.json';

/** The file in the data folder that says that the keys were shown. */
export const FIRST_KEYS_SHOWN = 'first-keys-shown';

export interface FirstKeysOptions {
  config: Pick<SystemConfig, 'DEMO_PLAN' | 'SETUP_FILE'>;
  /** File that exists when the keys have been shown. */
  mark: string;
  accounts: SessionsContext;
  adminToken: string;
}

export function firstKeys({ config, mark, accounts, adminToken }: FirstKeysOptions) {
  let url: string | undefined;
  return {
    /**
     * Makes the demo account's keys and writes them to SETUP_FILE; undefined when an earlier start has shown them. When a start ended before
     * showing its keys, the next makes others.
     */
    async make(): Promise<DemoAccount | undefined> {
      if (existsSync(mark)) return undefined;
      const email = 'demo@example.com';
      const demo = (await ensureDemoAccount(accounts, { plan: config.DEMO_PLAN, email })) ?? (await moreDemoKeys(accounts));
      url = (await demoSignInUrl(accounts, demo.account_id)) ?? undefined;
      if (config.SETUP_FILE)
        keepPrivately(config.SETUP_FILE, JSON.stringify({ ...demo, admin_token: adminToken, email, sign_in_url: url }, null, 2));
      return demo;
    },
    /** The link by which its first owner signs in, another at each start until a password is set; undefined then. */
    async link(): Promise<string | undefined> {
      const account = await this.account();
      url ??= account === undefined ? undefined : ((await demoSignInUrl(accounts, account)) ?? undefined);
      return url;
    },
    /** Id of the demo account, which is the first account. */
    async account(): Promise<string | undefined> {
      const [first] = await Array.fromAsync(accounts.store.accounts.find({}, { limit: 1 }));
      return first?._id;
    },
    /** Records that the keys were shown. */
    shown(): void {
      if (!existsSync(mark)) writeFileSync(mark, '', { mode: 0o600 });
    },
  };
}
