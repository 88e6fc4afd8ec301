import type { LoggerService } from '@nestjs/common';
import type { Logger } from '../logging/logger.ts';

/** What Nest has to say of its own goes to the service's log; its tale of every route and module at start does not. */
export const nestLogger = (logger: Logger): LoggerService => ({
  log: () => undefined,
  warn: (message: unknown) => logger.warn({ source: 'nest' }, String(message)),
  error: (message: unknown) => logger.error({ source: 'nest', err: message }, 'nest error'),
  fatal: (message: unknown) => logger.fatal({ source: 'nest', err: message }, 'nest error'),
});
