import type { Actor, Env } from '@svc/kernel';
import type { Limits } from '../accounts/account.ts';
import type { RateLimitCost } from '../limiter/port.ts';
import type { SessionView } from '../sessions/session-view.ts';

/** Who calls, in which account and environment, and what it may. The edge knows no kind of credential. */
export interface Principal {
  readonly account: string;
  readonly env: Env;
  readonly permissions: readonly string[];
  /** False: it reads null for names, addresses, e-mails and tax ids of customers and documents. */
  readonly personalData: boolean;
  readonly suspended: boolean;
  /** Those of the account. */
  readonly limits: Limits;
  /** What is counted for it alone, in the place of the account's plan, burst and reports; null: those of the account. */
  readonly ownLimits: OwnLimits | null;
  readonly actor: Actor;
  /** Environment and account: rate limits are counted under this, and it is part of each Idempotency-Key. */
  readonly scope: string;
  /** Hash of the credential in the request, such as that of a key's current or previous value. */
  readonly credentialHash: string;
  /** Rate-limit costs by kind of route. Filled on first use. */
  readonly costs: Map<string, readonly ScopedCost[]>;
  /** Of a member; null: it is none. */
  readonly session: SessionView | null;
}

export interface OwnLimits {
  scope: string;
  /** A minute. */
  requests: number;
  reports: number;
}

export interface ScopedCost {
  scope: string;
  cost: RateLimitCost;
}
