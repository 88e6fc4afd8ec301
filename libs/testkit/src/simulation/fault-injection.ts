import type { Clock } from '@svc/kernel';
import type { Lifetime } from './lifetime.ts';
import type { Journal } from './journal.ts';
import type { Random } from './random.ts';

/** The points where a process may be killed: between two steps that must not depend on each other. */
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

/** The fault injection of one part of a simulated process. */
export interface FaultInjection {
  lifetime: Lifetime;
  /** The clock of the network, which outlives every process: messages under way arrive by it. */
  network: Clock;
  random: Random;
  journal: Journal;
  /** False once fault injection has stopped. */
  isActive(): boolean;
  /** True when the process has crashed; it crashes here when this point is armed. The caller then stops. */
  crashesAt(point: CrashPoint): boolean;
}

/** Whether to inject a fault now: true with this probability while injection is active. */
export const isInjected = ({ isActive, random }: Pick<FaultInjection, 'isActive' | 'random'>, probability: number): boolean =>
  random.chance(probability) && isActive();
