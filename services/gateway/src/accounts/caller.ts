import type { Actor, Env } from '@svc/kernel';
import { permits } from '@svc/service';
import type { RateLimitCost } from '../edge/rate-limit-cost.ts';
import type { Limits } from './account.ts';

/** Who a key belongs to and what it may: all that the edge knows of the one who asks. */
export interface Caller {
  /** `key_…` */
  readonly key: string;
  readonly account: string;
  readonly env: Env;
  readonly permissions: readonly string[];
  readonly suspended: boolean;
  readonly limits: Limits;
  readonly actor: Actor;
  /** What its limits are counted under: account and environment. */
  readonly scope: string;
  /** Milliseconds since 1970; Infinity: open. */
  readonly goodUntil: number;
  /** Hash of the value that was presented: the key's current one, or the previous one within its grace period. */
  readonly credentialHash: string;
  /** What its requests cost, by kind of route: filled as they come. */
  readonly costs: Map<string, RateLimitCost>;
  /** Last minute since 1970 in which its use was noted. */
  usedMinute: number;
}

export const mayDo = ({ permissions }: Caller, permission: string): boolean => permits(permissions, permission);
