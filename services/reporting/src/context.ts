import type { Clock } from '@svc/kernel';
import type { Logger } from '@svc/service';
import type { Facts } from './facts/fact.ts';

/** Nest's injection token of `ReportingContext`. */
export const REPORTING = Symbol('reporting');

/** What the parts of this service share. */
export interface ReportingContext {
  facts: Facts;
  clock: Clock;
  logger: Logger;
  /** Public origin, without a slash at its end. */
  publicUrl: string;
}
