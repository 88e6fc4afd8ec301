import type { Engine } from '@svc/embedded';
import type { Clock } from '@svc/kernel';
import type { Health, Logger } from '@svc/service';

const LOG_EVERY_MS = 60_000;
const MIB = 1_048_576;

/** Reports disk failures of the engine in `/readyz`, and once a minute in the log; and in the log that another process reads the database. */
export function watchEngine(engine: Engine, { health, clock, logger }: { health: Health; clock: Clock; logger: Logger }): void {
  const onceAMinute = (log: (text: string) => void): ((text: string) => void) => {
    let loggedAt = -Infinity;
    return (text) => {
      if (clock.now() - loggedAt < LOG_EVERY_MS) return;
      loggedAt = clock.now();
      log(text);
    };
  };
  const failed = onceAMinute((text) => logger.error(text));
  const held = onceAMinute((text) => logger.warn(text));
  engine.onDiskFailure((error) => failed(error.message));
  engine.onWalHeld((bytes) =>
    held(
      `a reader holds the WAL: data.sqlite-wal has ${Math.round(bytes / MIB)} MiB and grows while another program has a transaction open on ` +
        `data.sqlite. End that program (\`fuser -v data.sqlite\` shows it), and read a copy by \`svc admin backup\` instead.`,
    ),
  );
  health.registerServer('data folder', () => engine.check());
}
