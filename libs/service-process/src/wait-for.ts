import type { Clock } from '@svc/kernel';
import type { Logger } from '@svc/service-kit';

export interface Waiting {
  clock: Clock;
  logger: Logger;
  stopped: AbortSignal;
}

const LOOK_EVERY_MS = 500;

/**
 * Resolves when `answers` says true, or when the process is to stop. What it says or throws instead is logged when it changes: a server
 * that is away is waited for, not died of.
 */
export async function waitFor(server: string, answers: () => Promise<true | string>, { clock, logger, stopped }: Waiting): Promise<void> {
  let told: string | undefined;
  while (!stopped.aborted) {
    const answer = await answers().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    if (answer === true) break;
    if (answer !== told) logger.warn({ server, why: answer }, 'waits for a server');
    told = answer;
    await clock.sleep(LOOK_EVERY_MS, stopped);
  }
  if (told !== undefined && !stopped.aborted) logger.info({ server }, 'the server answers');
}
