import { systemClock, type Clock } from '@svc/kernel';
import { Counter, register, type Metric } from 'prom-client';

export interface ReadingMetrics {
  logger: { warn(fields: object, message: string): void };
  clock?: Clock;
}

/** A metric that is read from a server is omitted if it takes longer than this. */
const WITHIN_MS = 2_000;
/** After this time an unanswered read is considered lost and started again. */
const AGAIN_MS = 60_000;

const unread = new Counter({
  name: 'svc_metrics_unread_total',
  help: 'How often a metric was omitted, since what it is read from failed or took longer than 2 s.',
  labelNames: ['metric'],
});

type Named = Metric & { name: string };

/**
 * Reads all metrics of the process by `read`, in parallel. Omits those that fail or take longer than 2 s, counts each failure, and logs
 * the first until the metric is read again. A metric that is still being read is not read again for a minute.
 */
export function metricsReader<T>(read: (metric: Named) => Promise<T>, { logger, clock = systemClock }: ReadingMetrics): () => Promise<T[]> {
  const reading = new Map<Named, { begun: Promise<T>; at: number }>();
  const missing = new Set<string>();

  function begin(metric: Named): Promise<T> {
    const before = reading.get(metric);
    if (before && clock.now() - before.at < AGAIN_MS) return before.begun;
    const begun = read(metric).finally(() => reading.delete(metric));
    reading.set(metric, { begun, at: clock.now() });
    return begun;
  }

  async function inTime(metric: Named, late: Promise<never>): Promise<T[]> {
    const { name } = metric;
    try {
      const value = await Promise.race([begin(metric), late]);
      missing.delete(name);
      return [value];
    } catch (error) {
      unread.inc({ metric: name });
      if (!missing.has(name)) logger.warn({ metric: name, err: error }, 'a metric cannot be read and is omitted');
      missing.add(name);
      return [];
    }
  }

  return async () => {
    const late = Promise.withResolvers<never>();
    late.promise.catch(() => undefined);
    const cancel = clock.after(WITHIN_MS, () => late.reject(new Error(`no answer within ${WITHIN_MS} ms`)));
    const metrics = register.getMetricsAsArray() as unknown as Named[];
    // From 0 on, so that the first failure is an increase.
    for (const { name } of metrics) if (name.startsWith('svc_')) unread.inc({ metric: name }, 0);
    const all = await Promise.all(metrics.map((metric) => inTime(metric, late.promise)));
    cancel();
    return all.flat();
  };
}
