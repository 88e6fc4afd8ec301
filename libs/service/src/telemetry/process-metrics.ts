import { totalmem } from 'node:os';
import { collectDefaultMetrics, Gauge, register } from 'prom-client';

/** The metrics of every process: prom-client's own (`process_…`, `nodejs_…`), and the memory that it may use. Idempotent. */
export function measureProcess(): void {
  if (register.getSingleMetric('process_cpu_seconds_total')) return;
  collectDefaultMetrics();
  new Gauge({
    name: 'svc_memory_limit_bytes',
    help: 'Memory that the process may use: the limit of its container, else the memory of the machine.',
  }).set(memoryLimit());
}

/** Without a limit Node reports 0, or more than the machine has. */
function memoryLimit(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}
