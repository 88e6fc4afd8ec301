import type { Engine } from '@svc/embedded';
import type { Clock } from '@svc/kernel';
import type { Health, Logger } from '@svc/service';

const LOG_EVERY_MS = 60_000;

/** Reports disk failures of the engine in `/readyz`, and once a minute in the log. */
export function watchEngine(engine: Engine, { health, clock, logger }: { health: Health; clock: Clock; logger: Logger }): void {
  let loggedAt = -Infinity;
  engine.onDiskFailure((error) => {
    if (clock.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = clock.now();
    logger.error(error.message);
  });
  health.registerServer('data folder', () => engine.check());
}
