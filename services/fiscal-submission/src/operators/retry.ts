import type { NoteAction } from '@svc/service';
import type { Context } from '../submission/context.ts';
import { makeDue } from '../submission/row.ts';
import { checkAuthority } from './waiting.ts';

/** What an operator asks for. `account`: absent, of any. */
export interface RetryAsked {
  authority: string;
  livemode: boolean;
  account?: string | undefined;
}

/** Of one call. */
const MOST = 1_000;

/**
 * Makes documents due that wait for their next attempt for longer than a call takes, those first that have waited longest, at most 1,000. Returns how many, and
 * whether more wait. The audit of each account has it. Throws as `checkAuthority` does.
 */
export async function retryNow(
  { context: { rows, clock, authorities }, note }: { context: Pick<Context, 'rows' | 'clock' | 'authorities'>; note: NoteAction },
  { authority, livemode, account }: RetryAsked,
) {
  checkAuthority(authorities, authority);
  const now = clock.now();
  const of = { authority, env: livemode ? ('live' as const) : ('test' as const), waits_for: 'authority' as const };
  const filter = { ...of, waits_since: { $gte: 0 }, due_at: { $gt: now } };
  const noted = new Set<string>();
  let retried = 0;
  for await (const { _id, ...row } of rows.find(filter, { sort: { waits_since: 1 } })) {
    if (account !== undefined && row.account !== account) continue;
    if (retried === MOST) return { retried, more: true };
    if (!noted.has(row.account)) {
      const target = { id: null, name: authority };
      await note({ account: row.account, env: of.env, type: 'submissions', verb: 'retried', target });
      noted.add(row.account);
    }
    if (await makeDue(rows, _id, now)) retried += 1;
  }
  return { retried, more: false };
}
