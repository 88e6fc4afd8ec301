import type { Clock } from '@svc/kernel';
import type { Logger } from '../index.ts';
import { serverAddress, type ServerSettings } from './server-address.ts';
import { connectionFailure } from './connection-failure.ts';

export interface Waiting {
  clock: Clock;
  logger: Logger;
  stopped: AbortSignal;
  /** The addresses of the servers, for connecting once to find the reason of a failure. */
  settings: ServerSettings;
}

const LOOK_EVERY_MS = 500;

/**
 * Waits until `answers` returns true or the process is stopped. Logs what it returns or throws instead, whenever that changes. A server that is
 * down does not end the process.
 */
export async function waitFor(server: string, answers: () => Promise<true | string>, waiting: Waiting): Promise<void> {
  const { clock, logger, stopped, settings } = waiting;
  let logged: string | undefined;
  while (!stopped.aborted) {
    const answer = await answers().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    if (answer === true) break;
    const why = await realCause(server, answer, settings);
    if (why !== logged && !stopped.aborted) logger.warn({ server, why }, 'waits for a server');
    logged = why;
    await clock.sleep(LOOK_EVERY_MS, stopped);
  }
  if (logged !== undefined && !stopped.aborted) logger.info({ server }, 'the server answers');
}

/** The reason by a direct connection, else the error of the client library. */
async function realCause(server: string, answer: string, settings: ServerSettings): Promise<string> {
  try {
    const address = serverAddress(server, settings);
    return (address && (await connectionFailure(address))) ?? answer;
  } catch {
    return answer;
  }
}
