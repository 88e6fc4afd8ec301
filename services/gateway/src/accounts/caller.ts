import type { Actor, Env } from '@svc/kernel';
import { permits } from '@svc/service';
import type { RateLimitCost } from '../edge/rate-limit-cost.ts';
import type { Limits } from './account.ts';

/** The account, permissions and limits of the API key of a request. */
export interface Caller {
  /** `key_…` */
  readonly key: string;
  readonly account: string;
  readonly env: Env;
  readonly permissions: readonly string[];
  readonly suspended: boolean;
  readonly limits: Limits;
  readonly actor: Actor;
  /** Limits are counted under this: environment and account. */
  readonly scope: string;
  /** Milliseconds since 1970; Infinity: the key does not expire. */
  readonly goodUntil: number;
  /** Hash of the value in the request: the key's current one, or the previous one within its grace period. */
  readonly credentialHash: string;
  /** Rate-limit cost by kind of route. Filled on first use. */
  readonly costs: Map<string, RateLimitCost>;
  /** The last minute since 1970 in which a use was recorded. */
  usedMinute: number;
}

export const mayDo = ({ permissions }: Caller, permission: string): boolean => permits(permissions, permission);
