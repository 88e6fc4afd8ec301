import type { Processes } from '@svc/testkit';

/** Logs processes that ended by themselves with their last output, to diagnose a failure. */
export function logCrashes(system: Processes): void {
  for (const replica of system.replicas)
    if (replica.crashes().length > 0)
      console.log(`${replica.name} ended by itself: ${JSON.stringify(replica.crashes())}\n${replica.output().slice(-3000)}`);
}

/** Logs the last output of each process, to diagnose a failure. */
export function logEnds(system: Processes): void {
  for (const replica of system.replicas) console.log(`${replica.name}:\n${replica.output().slice(-2000)}`);
}
