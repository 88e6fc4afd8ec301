import type { Clock } from '@svc/kernel';
import { Gauge } from 'prom-client';
import type { Subscription } from './consumes.ts';

const STUCK_MS = 120_000;

const gauge = new Gauge({
  name: 'svc_consumer_lag_events',
  help: 'Events of a topic that a group has not handled, when they were last counted.',
  labelNames: ['group', 'topic'],
});

/** The number of events that wait for the groups of a process, and partitions without progress. Counted at intervals. */
export class Lag {
  /** When events that wait in a partition were first seen with none of them tried. */
  private readonly since = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** The events that wait for a group in the partitions of a topic. `ours` are those assigned to this process. */
  counted({ group, topic }: Subscription, waiting: ReadonlyMap<string, number>, ours: ReadonlySet<string>): void {
    for (const [partitionId, events] of waiting) {
      const name = nameOf(group, partitionId);
      if (events === 0 || !ours.has(partitionId)) this.since.delete(name);
      else if (!this.since.has(name)) this.since.set(name, this.clock.now());
    }
    const sum = [...waiting.values()].reduce((before, events) => before + events, 0);
    gauge.set({ group, topic }, sum);
  }

  /** A handler answered or failed for events of this partition, or they are dead letters: all of these are progress. */
  moved(group: string, partitionId: string): void {
    this.since.delete(nameOf(group, partitionId));
  }

  /** The count failed: resets the times, since the handlers are not at fault. Returns why. */
  unknown(error: unknown): string {
    this.since.clear();
    return error instanceof Error ? error.message : String(error);
  }

  /** True, or the partitions where events have waited for two minutes and none was tried. */
  progress(): true | string {
    const stuck = [...this.since].filter(([, since]) => this.clock.now() - since > STUCK_MS).map(([name]) => name);
    return stuck.length === 0 || `no progress of ${stuck.join(', ')}`;
  }
}

const nameOf = (group: string, partitionId: string): string => `${group} at ${partitionId}`;
