import type { Processes } from '@svc/testkit';

/** Tells of processes that ended by themselves, with the end of what they wrote: for a person who reads a failure. */
export function logCrashes(system: Processes): void {
  for (const replica of system.replicas)
    if (replica.crashes().length > 0)
      console.log(`${replica.name} ended by itself: ${JSON.stringify(replica.crashes())}\n${replica.output().slice(-3000)}`);
}
