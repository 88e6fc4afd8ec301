import type { Clock } from '@svc/kernel';
import type { Lifetime } from './lifetime.ts';
import type { Journal } from './journal.ts';
import type { Random } from './random.ts';

/** Where a process may be killed: between two steps that must not depend on each other's luck. */
export const crashPoints = [
  'append sent',
  'append stored',
  'batch not handed over',
  'batch handled',
  'authority not asked',
  'authority answered',
  'webhook not sent',
  'webhook answered',
  'anywhere',
] as const;
export type CrashPoint = (typeof crashPoints)[number];

/** What the parts of one simulated process share: the luck it has, and when it crashesAt. */
export interface FaultInjection {
  lifetime: Lifetime;
  /** Outlives every process: what is under way in the network arrives by it. */
  network: Clock;
  random: Random;
  journal: Journal;
  /** False once the troubles are over. */
  isActive(): boolean;
  /** True when the lifetime is over; it ends here if it is its time. Who asks goes no further then. */
  crashesAt(point: CrashPoint): boolean;
}

/** True with this probability while there are troubles. */
export const isInjected = ({ isActive, random }: Pick<FaultInjection, 'isActive' | 'random'>, probability: number): boolean =>
  random.chance(probability) && isActive();
