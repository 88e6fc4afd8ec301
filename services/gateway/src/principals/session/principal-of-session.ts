import { roleTable } from '@svc/contracts/console/roles';
import type { Actor, Env } from '@svc/kernel';
import { limitsOf } from '../../accounts/plans.ts';
import type { Principal, ScopedCost } from '../principal.ts';
import type { SessionView } from '../../sessions/session-view.ts';

/** A member's own, over all of its sessions and both environments. */
const REQUESTS = 300;
const REPORTS = 30;

const made = new WeakMap<SessionView, Map<string, Principal>>();

/** The principal of a session in one environment, for a request from an address. */
export function principalOf(view: SessionView, env: Env, address: string): Principal {
  const of = made.get(view) ?? new Map<string, Principal>();
  made.set(view, of);
  const key = `${env} ${address}`;
  let principal = of.get(key);
  if (principal === undefined) {
    if (of.size >= MOST_ADDRESSES) of.clear();
    of.set(key, (principal = newPrincipal(view, env, address)));
  }
  return principal;
}

const MOST_ADDRESSES = 10;

const newPrincipal = (view: SessionView, env: Env, address: string): Principal => ({
  ...principalOfMember(view, env, { ip: address, ...(view.session.via && { via: view.session.via }) }),
  ...{ credentialHash: view.session._id, session: view },
});

/** What a member may in one environment, as its role is now; without a session. */
export function principalOfMember(
  { member, account }: Pick<SessionView, 'member' | 'account'>,
  env: Env,
  from: Pick<Actor, 'ip' | 'via'>,
): Principal {
  const row = roleTable[member.role];
  return {
    ...{ account: account._id, env, permissions: row[env], personalData: env === 'test' || row.livePersonalData },
    ...{ suspended: account.suspended, limits: limitsOf(account.plan, account.limits), scope: `${env}.${account._id}` },
    ownLimits: { scope: `member ${member._id}`, requests: REQUESTS, reports: REPORTS },
    actor: { type: 'member', id: member._id, ...from },
    ...{ credentialHash: '', costs: new Map<string, readonly ScopedCost[]>(), session: null },
  };
}
