import type { Clock } from '@svc/kernel';
import type { Logger } from '@svc/service';
import type { Facts } from './fact.ts';

/** Nest's injection token of `ReportingContext`. */
export const REPORTING = Symbol('reporting');

/** The dependencies of all parts of this service. */
export interface ReportingContext {
  facts: Facts;
  clock: Clock;
  logger: Logger;
  /** Public origin without a trailing slash. */
  publicUrl: string;
}
