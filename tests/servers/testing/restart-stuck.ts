import type { Processes } from '@svc/testkit';

/** Kills each process whose liveness probe fails, as Kubernetes does: a consumer may stop without an error, and it is started again so. */
export async function restartStuck(system: Processes): Promise<void> {
  for (const replica of system.replicas) {
    const answer = await fetch(`${replica.ops}/healthz`).catch(() => undefined); // it is being started
    if (answer?.status !== 503) continue;
    console.log(`${replica.name} is restarted: ${await answer.text()}\n${replica.output().slice(-2000)}`);
    await replica.kill('SIGKILL');
  }
}
