import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

/**
 * Creates the demo account and writes its keys to `file`, once, and at each start the link by which its first owner signs in, until a password is set. A start that ended
 * before the write is repeated with new keys.
 */
export async function firstStart({ documents, accounts, file, plan, adminToken }: FirstStartOptions): Promise<void> {
  const starts = documents.collection<FirstStart>('first_starts');
  if (await starts.get('demo')) return renewLink(accounts, file);
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

/** Puts the link of this start in place of the last one's, beside the keys where the file still has them; null, where a password is set. */
async function renewLink(accounts: SessionsContext, file: string): Promise<void> {
  const [account] = await Array.fromAsync(accounts.store.accounts.find({}, { limit: 1 }));
  if (!account) return;
  const sign_in_url = (await demoSignInUrl(accounts, account._id)) ?? null;
  const kept = keysIn(file);
  const isOurs = kept?.['account_id'] === account._id;
  if (isOurs ? kept['sign_in_url'] === sign_in_url : kept !== undefined || sign_in_url === null) return;
  keepPrivately(file, JSON.stringify({ ...kept, account_id: account._id, sign_in_url }, null, 2));
}

/** undefined: there is no file, or it holds something else. */
function keysIn(file: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Writes a file atomically, readable only by its owner, also over an existing one and beside other processes that write it. */
function keepPrivately(path: string, text: string): void {
  const beside = `${path}.${hostname()}-${process.pid}.new`;
  rmSync(beside, { force: true });
  writeFileSync(beside, text, { mode: 0o600, flush: true });
  renameSync(beside, path);
}
