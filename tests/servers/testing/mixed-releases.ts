import { startProcesses, startReceiver, type Processes, type Replica } from '@svc/testkit';
import { sleep } from '../../e2e/testing/retrying-client.ts';
import { openMixedJob, type MixedJob } from './mixed-job.ts';
import { faults, findings } from './mixed-findings.ts';

export interface Mix {
  /** The service that has two replicas: one of its release before and one of its release after. */
  service: string;
  /** Folders of builds. */
  before: string;
  after: string;
  /** Of the other services. */
  others: (service: string) => string;
}

/**
 * The replicas of the service that run in each phase, in the order of an upgrade and its rollback. What one replica does for all, such as
 * publishing, is done by the one that ran before.
 */
const phases = {
  rolling: ['before', 'after'],
  upgraded: ['after'],
  'rolling back': ['before', 'after'],
  'rolled back': ['before'],
} as const;
export type Phase = keyof typeof phases;
export const allPhases = Object.keys(phases) as Phase[];

/** A phase that takes longer has failed. */
const PHASE_MS = 90_000;
/** Of all phases, with the starts and stops between them. */
export const LONGEST_MS = allPhases.length * PHASE_MS + 120_000;
const WATCHED_EVERY_MS = 1000;

/**
 * Runs the end-to-end job in these phases of an upgrade and its rollback, on one namespace. Rejects with the phase, what is not as
 * acknowledged, and what the system says about it.
 */
export async function runMixed({ service, before, after, others }: Mix, chosen: readonly Phase[], withinMs = PHASE_MS): Promise<void> {
  const receiver = await startReceiver();
  let system: Processes | undefined;
  try {
    const running = (system = await startProcesses({
      replicas: 1,
      except: { [service]: 2 },
      folderOf: (name, replica) => (name !== service ? others(name) : replica === 1 ? before : after),
      isLater: (name, replica) => name === service && replica === 2,
      env: { WEBHOOKS_ALLOW: receiver.origin, WEBHOOKS_RETRY_DELAYS: '1s,2s,5s,10s' },
    }));
    const job = await openMixedJob(running, receiver);
    for (const phase of chosen) {
      await enter(phase, running.replicasOf(service));
      await runPhase(running, job, withinMs).catch(async (error: Error) => {
        const found = [...job.errors(), ...(await findings(running))].filter((line) => !error.message.includes(line));
        throw new Error([`${phase}: ${error.message}`, ...found].join('\n'), { cause: error });
      });
    }
  } finally {
    await system?.stop();
    await receiver.close();
  }
}

/** As a rolling upgrade does: starts what is to run, and stops the other one when that is ready. */
async function enter(phase: Phase, replicas: Replica[]): Promise<void> {
  const isWanted = (replica: Replica): boolean => phases[phase].some((release) => replica === replicas[release === 'before' ? 0 : 1]);
  for (const replica of replicas.filter(isWanted)) await replica.start();
  for (const replica of replicas.filter((one) => !isWanted(one) && one.running())) {
    const { code, signal } = await replica.stop('SIGTERM');
    if (code !== 0)
      throw new Error(`${replica.name} was asked to stop and ended with ${code ?? signal}:\n${replica.output().slice(-2000)}`);
  }
}

/** Rejects as soon as the phase cannot succeed any more. */
async function runPhase(system: Processes, job: MixedJob, withinMs: number): Promise<void> {
  const ended = new AbortController();
  const gateways = system.replicasOf('gateway').filter((replica) => replica.running());
  const work = job.run(
    gateways.map(({ url }) => url),
    AbortSignal.any([ended.signal, AbortSignal.timeout(withinMs)]),
  );
  try {
    await Promise.race([work, untilFault(system, ended.signal)]);
  } finally {
    ended.abort();
    await work.catch(() => undefined); // After a fault its error does not matter.
  }
}

async function untilFault(system: Processes, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    const found = await faults(system);
    if (found.length > 0) throw new Error(found.join('\n'));
    await sleep(WATCHED_EVERY_MS);
  }
}
