import { existsSync, writeFileSync } from 'node:fs';
import { ensureDemoAccount, moreDemoKeys, type KeysContext, type DemoAccount } from '@svc/gateway';
import type { SystemConfig } from './config.ts';
import { keepPrivately } from './secrets.ts';

/** The file in the data folder that says that the keys were shown. */
export const FIRST_KEYS_SHOWN = 'first-keys-shown';

export interface FirstKeys {
  /**
   * Makes the demo account's keys and writes them to SETUP_FILE; undefined when an earlier start has shown them. When a start ended before
   * showing its keys, the next makes others.
   */
  make(): Promise<DemoAccount | undefined>;
  /** Id of the demo account, which is the first account. */
  account(): Promise<string | undefined>;
  /** Records that the keys were shown. */
  shown(): void;
}

export interface FirstKeysOptions {
  config: Pick<SystemConfig, 'DEMO_PLAN' | 'SETUP_FILE'>;
  /** File that exists when the keys have been shown. */
  mark: string;
  accounts: KeysContext;
  adminToken: string;
}

export function firstKeys({ config, mark, accounts, adminToken }: FirstKeysOptions): FirstKeys {
  return {
    async make() {
      if (existsSync(mark)) return undefined;
      const email = 'demo@example.com';
      const demo = (await ensureDemoAccount(accounts, { plan: config.DEMO_PLAN, email })) ?? (await moreDemoKeys(accounts));
      if (config.SETUP_FILE) keepPrivately(config.SETUP_FILE, JSON.stringify({ ...demo, admin_token: adminToken, email }, null, 2));
      return demo;
    },
    async account() {
      const [first] = await Array.fromAsync(accounts.store.accounts.find({}, { limit: 1 }));
      return first?._id;
    },
    shown() {
      if (!existsSync(mark)) writeFileSync(mark, '', { mode: 0o600 });
    },
  };
}
