import type { LoggerService } from '@nestjs/common';
import type { Logger } from '../logging/logger.ts';

/** Writes Nest's warnings and errors to the service's log, without its lines about every route and module at start. */
export const nestLogger = (logger: Logger): LoggerService => ({
  log: () => undefined,
  warn: (message: unknown) => logger.warn({ source: 'nest' }, String(message)),
  error: (message: unknown) => logger.error({ source: 'nest', err: message }, 'nest error'),
  fatal: (message: unknown) => logger.fatal({ source: 'nest', err: message }, 'nest error'),
});
