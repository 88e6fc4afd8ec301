import type { Clock } from '@svc/kernel';
import type { Health } from '../health/health.ts';
import type { Logger } from '../logging/logger.ts';

export interface ShutdownOptions {
  health: Health;
  /** Stops accepting work, completes open work, closes resources, server connections last. */
  stop: () => Promise<void>;
  logger: Logger;
  clock: Clock;
}

const TIMEOUT_MS = 25_000;
/** One Ctrl-C reaches a process twice: by its terminal, and by the parent that hands it on. */
const SAME_WISH_MS = 1_000;

/**
 * Handles SIGTERM and SIGINT: sets the process not ready, runs `stop` for at most 25 s, and exits: with 0 if `stop` has completed, else with 1. A
 * second signal more than a second later ends the process at once.
 */
export function installShutdown({ health, stop, logger, clock }: ShutdownOptions): void {
  const signals = ['SIGTERM', 'SIGINT'] as const;
  let askedAt: number | undefined;
  const end = async (signal: string): Promise<void> => {
    if (askedAt !== undefined && clock.now() - askedAt <= SAME_WISH_MS) return;
    if (askedAt !== undefined) process.exit(1);
    askedAt = clock.now();
    health.stop();
    logger.info({ signal }, 'stopping');
    const done = await Promise.race([
      stop().then(
        () => true,
        (error: unknown) => logger.error({ err: error }, 'stopping failed'),
      ),
      clock.sleep(TIMEOUT_MS),
    ]);
    if (done) logger.info('stopped');
    else logger.error('not everything was finished');
    process.exit(done ? 0 : 1);
  };
  for (const signal of signals) process.on(signal, () => void end(signal));
}
