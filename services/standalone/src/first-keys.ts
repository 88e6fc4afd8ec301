import { existsSync, writeFileSync } from 'node:fs';
import { ensureDemoAccount, moreDemoKeys, type AccountsContext, type DemoAccount } from '@svc/gateway';
import type { SystemConfig } from './config.ts';
import { keepPrivately } from './secrets.ts';

export interface FirstKeys {
  /** The demo account's keys, also in SETUP_FILE; undefined when a start has shown them. One that ended before it had makes others. */
  make(): Promise<DemoAccount | undefined>;
  /** Id of the demo account: the first of all. */
  account(): Promise<string | undefined>;
  /** They were shown: never again. */
  shown(): void;
}

export interface FirstKeysOptions {
  config: Pick<SystemConfig, 'DEMO_PLAN' | 'SETUP_FILE'>;
  /** Stands where the keys were shown. */
  mark: string;
  accounts: AccountsContext;
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
