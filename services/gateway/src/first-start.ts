import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Plan } from '@svc/contracts/account/vocabulary';
import type { Doc, DocumentStore } from '@svc/document-store';
import type { SessionsContext } from './sessions/context.ts';
import { demoSignInUrl, ensureDemoAccount, moreDemoKeys } from './demo-account.ts';

/** Records that the demo account's keys were written to a file. */
interface FirstStart extends Doc {
  done: true;
}

export interface FirstStartOptions {
  documents: DocumentStore;
  accounts: SessionsContext;
  file: string;
  plan: Plan;
  adminToken: string;
}

const EMAIL = 'demo@example.com';

/** Creates the demo account and writes its keys to `file`, once. A start that ended before the write is repeated with new keys. */
export async function firstStart({ documents, accounts, file, plan, adminToken }: FirstStartOptions): Promise<void> {
  const starts = documents.collection<FirstStart>('first_starts');
  if (await starts.get('demo')) return;
  const demo = (await ensureDemoAccount(accounts, { plan, email: EMAIL })) ?? (await moreDemoKeys(accounts));
  keepPrivately(
    file,
    JSON.stringify(
      { ...demo, admin_token: adminToken, email: EMAIL, sign_in_url: await demoSignInUrl(accounts, demo.account_id) },
      null,
      2,
    ),
  );
  await starts.insert({ _id: 'demo', version: 1, done: true });
}

/** Writes a file atomically, readable only by its owner, also over an existing one and beside other processes that write it. */
function keepPrivately(path: string, text: string): void {
  const beside = `${path}.${hostname()}-${process.pid}.new`;
  rmSync(beside, { force: true });
  writeFileSync(beside, text, { mode: 0o600, flush: true });
  renameSync(beside, path);
}
