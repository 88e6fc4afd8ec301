import type { Actor, Env } from '@svc/kernel';
import type { Limits } from '../accounts/account.ts';
import type { RateLimitCost } from '../limiter/port.ts';

/** Who calls, in which account and environment, and what it may. The edge knows no kind of credential. */
export interface Principal {
  readonly account: string;
  readonly env: Env;
  readonly permissions: readonly string[];
  readonly suspended: boolean;
  /** Those of the account. */
  readonly limits: Limits;
  readonly actor: Actor;
  /** Environment and account: rate limits are counted under this, and it is part of each Idempotency-Key. */
  readonly scope: string;
  /** Hash of the credential in the request, such as that of a key's current or previous value. */
  readonly credentialHash: string;
  /** Rate-limit cost by kind of route. Filled on first use. */
  readonly costs: Map<string, RateLimitCost>;
}
