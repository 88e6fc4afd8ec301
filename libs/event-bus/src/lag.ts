import type { Clock } from '@svc/kernel';
import { Gauge } from 'prom-client';
import type { Subscription } from './consumes.ts';

const STUCK_MS = 120_000;

const gauge = new Gauge({
  name: 'svc_consumer_lag_events',
  help: 'Events of a topic that a group has not handled, when they were last counted.',
  labelNames: ['group', 'topic'],
});

/** How many events wait for the groups of a process, and where nothing is done about them. They are counted now and then. */
export class Lag {
  /** Since when events were seen to wait in a place with none of them tried. */
  private readonly since = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** What waits for a group in the places of a topic. `ours` are those that this process works off. */
  counted({ group, topic }: Subscription, waiting: ReadonlyMap<string, number>, ours: ReadonlySet<string>): void {
    for (const [place, events] of waiting) {
      const name = nameOf(group, place);
      if (events === 0 || !ours.has(place)) this.since.delete(name);
      else if (!this.since.has(name)) this.since.set(name, this.clock.now());
    }
    const sum = [...waiting.values()].reduce((before, events) => before + events, 0);
    gauge.set({ group, topic }, sum);
  }

  /** A handler answered about events of this place, or they are in the dead letters: that is progress, however bad. */
  moved(group: string, place: string): void {
    this.since.delete(nameOf(group, place));
  }

  /** Nobody can count what waits, and nobody is to blame. Answers why. */
  unknown(error: unknown): string {
    this.since.clear();
    return error instanceof Error ? error.message : String(error);
  }

  /** True, or where events have waited for two minutes and none of them was as much as tried. */
  progress(): true | string {
    const stuck = [...this.since].filter(([, since]) => this.clock.now() - since > STUCK_MS).map(([name]) => name);
    return stuck.length === 0 || `no progress of ${stuck.join(', ')}`;
  }
}

const nameOf = (group: string, place: string): string => `${group} at ${place}`;
