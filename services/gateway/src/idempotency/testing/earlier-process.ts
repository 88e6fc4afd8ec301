import type { Processes } from '../processes.ts';

/** A gateway of release 0.1.0, whose claims name no process. */
export const earlierProcess: Pick<Processes, 'own' | 'isGone'> = { own: () => undefined, isGone: async () => false };
