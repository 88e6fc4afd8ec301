import type { Engine } from '@svc/embedded';
import type { Clock } from '@svc/kernel';
import type { Health, Logger } from '@svc/service';

const TELL_AGAIN_MS = 60_000;

/** Says in `/readyz`, and once a minute in the log, that the disk is full or fails, or that the file is damaged. */
export function watchEngine(engine: Engine, { health, clock, logger }: { health: Health; clock: Clock; logger: Logger }): void {
  let told = -Infinity;
  engine.whenTroubled((error) => {
    if (clock.now() - told < TELL_AGAIN_MS) return;
    told = clock.now();
    logger.error(error.message);
  });
  health.registerServer('data folder', () => engine.check());
}
