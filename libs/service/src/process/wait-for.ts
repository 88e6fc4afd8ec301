import type { Clock } from '@svc/kernel';
import type { Logger } from '../index.ts';
import { serverAddress, type ServerSettings } from './server-address.ts';
import { connectionFailure } from './connection-failure.ts';

export interface Waiting {
  clock: Clock;
  logger: Logger;
  stopped: AbortSignal;
  /** Where the servers are: one that is waited for is told of by the reason that a connection of its own ends in. */
  settings: ServerSettings;
}

const LOOK_EVERY_MS = 500;

/**
 * Resolves when `answers` says true, or when the process is to stop. What it says or throws instead is logged when it changes: a server
 * that is away is waited for, not died of.
 */
export async function waitFor(server: string, answers: () => Promise<true | string>, waiting: Waiting): Promise<void> {
  const { clock, logger, stopped, settings } = waiting;
  let told: string | undefined;
  while (!stopped.aborted) {
    const answer = await answers().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    if (answer === true) break;
    const why = await realCause(server, answer, settings);
    if (why !== told && !stopped.aborted) logger.warn({ server, why }, 'waits for a server');
    told = why;
    await clock.sleep(LOOK_EVERY_MS, stopped);
  }
  if (told !== undefined && !stopped.aborted) logger.info({ server }, 'the server answers');
}

/** What the client says, unless a connection shows more of it. */
async function realCause(server: string, answer: string, settings: ServerSettings): Promise<string> {
  try {
    const address = serverAddress(server, settings);
    return (address && (await connectionFailure(address))) ?? answer;
  } catch {
    return answer;
  }
}
