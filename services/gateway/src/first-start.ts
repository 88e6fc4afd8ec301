import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Plan } from '@svc/contracts/account/vocabulary';
import type { Doc, Documents } from '@svc/document-store';
import type { AccountsContext } from './accounts/context.ts';
import { ensureDemoAccount, moreDemoKeys } from './demo-account.ts';

/** Remembers that the demo account's keys were written to a file. */
interface FirstStart extends Doc {
  done: true;
}

export interface FirstStartOptions {
  documents: Documents;
  accounts: AccountsContext;
  file: string;
  plan: Plan;
  adminToken: string;
}

const EMAIL = 'demo@example.com';

/** Makes the demo account and writes its keys to `file`, until a start has done so: one that ended before that writes others the next time. */
export async function firstStart({ documents, accounts, file, plan, adminToken }: FirstStartOptions): Promise<void> {
  const starts = documents.collection<FirstStart>('first_starts');
  if (await starts.get('demo')) return;
  const demo = (await ensureDemoAccount(accounts, { plan, email: EMAIL })) ?? (await moreDemoKeys(accounts));
  keepPrivately(file, JSON.stringify({ ...demo, admin_token: adminToken, email: EMAIL }, null, 2));
  await starts.insert({ _id: 'demo', version: 1, done: true });
}

/** Writes a file whole or not at all, readable by its owner alone, also where another stood there and other processes write it too. */
function keepPrivately(path: string, text: string): void {
  const beside = `${path}.${hostname()}-${process.pid}.new`;
  rmSync(beside, { force: true });
  writeFileSync(beside, text, { mode: 0o600, flush: true });
  renameSync(beside, path);
}
