import type { Engine } from '@svc/embedded';
import { Counter } from '@svc/service';

/** Metrics of how many writes share a commit; each commit is one fdatasync. */
export function measureEngine(engine: Engine): void {
  for (const [name, help, count] of [
    ['svc_embedded_commits_total', 'Transactions committed by the embedded engine', () => engine.counters.commits],
    ['svc_embedded_writes_total', 'Writes in those transactions', () => engine.counters.writes],
  ] as const)
    new Counter({
      name,
      help,
      collect() {
        this.reset();
        this.inc(count());
      },
    });
}
