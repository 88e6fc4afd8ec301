import { type Clock, unheldClock } from '@svc/kernel';
import { type Level, type LogFn, type Logger, levels } from 'pino';
import { Counter, register } from 'prom-client';
import { createLineLimit, type LineRate } from './line-limit.ts';

const NAME = 'svc_log_suppressed_total';
/** Of lines that were counted instead of written. */
export const suppressedCounter = (): Counter =>
  (register.getSingleMetric(NAME) as Counter | undefined) ??
  new Counter({ name: NAME, help: 'Lines of the log that were counted instead of written, since their cause had written many.' });

/** At most 60 in any minute. */
const RATE: LineRate = { atOnce: 30, perMinute: 30 };

/**
 * A hook of pino. Of the lines of one cause from `warn` on, 60 are written in any minute; a further line says how many were not. A cause is the message with the code or
 * name of its error, or the code of its answer. What ends the process is always written.
 */
export function limitCauses(clock: Pick<Clock, 'now' | 'after'> = unheldClock) {
  const counter = suppressedCounter();
  let report: ((fields: object, message: string) => void) | undefined;
  let isReport = false;
  const limit = createLineLimit(clock, RATE, ({ scope = 'others', count }) => {
    isReport = true;
    report?.({ cause: scope, count }, 'more such lines were suppressed');
    isReport = false;
  });
  return function logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
    report ??= (fields, message) => this.warn(fields, message);
    if (isReport || level < valueOf('warn') || level >= valueOf('fatal') || limit.allows(causeOf(args))) method.apply(this, args);
    else counter.inc();
  };
}

const valueOf = (level: Level): number => levels.values[level] as number;

const LONGEST = 200;

function causeOf([first, second]: readonly unknown[]): string {
  const message = typeof first === 'string' ? first : second;
  const { err, code } = (typeof first === 'object' && first !== null ? first : {}) as {
    err?: { code?: unknown; name?: unknown };
    code?: unknown;
  };
  return [message, err?.code ?? err?.name ?? code]
    .filter((part) => part !== undefined)
    .map(String)
    .join(', ')
    .slice(0, LONGEST);
}
