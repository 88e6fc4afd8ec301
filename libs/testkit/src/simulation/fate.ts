import type { Clock } from '@svc/kernel';
import type { Life } from './life.ts';
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

/** What the parts of one simulated process share: the luck it has, and when it dies. */
export interface Fate {
  life: Life;
  /** Outlives every process: what is under way in the network arrives by it. */
  world: Clock;
  random: Random;
  journal: Journal;
  /** False once the troubles are over. */
  troubled(): boolean;
  /** True when the life is over; it ends here if it is its time. Who asks goes no further then. */
  dies(point: CrashPoint): boolean;
}

/** True with this probability while there are troubles. */
export const befalls = ({ troubled, random }: Pick<Fate, 'troubled' | 'random'>, probability: number): boolean =>
  random.chance(probability) && troubled();
