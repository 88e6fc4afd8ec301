import type { Position, Recorded } from '@svc/kernel';

/**
 * The events committed last, kept while a follower still has to get them: it takes them from here instead of reading and parsing
 * what was in memory a moment ago. Who lags behind the oldest of them reads the table.
 */
export class RecentEvents {
  private events: Recorded[] = [];

  constructor(private readonly limit = 2_000) {}

  /** Events of one commit, in order; they continue the last ones or start anew. */
  add(committed: readonly Recorded[]): void {
    const last = this.events.at(-1);
    if (last && committed[0]?.position !== last.position + 1n) this.events = [];
    this.events.push(...committed);
    if (this.events.length > this.limit * 2) this.events = this.events.slice(-this.limit);
  }

  /** At most `max` events right after `position`; undefined when that place is not kept here. */
  after(position: Position, max: number): Recorded[] | undefined {
    const first = this.events[0];
    if (!first || position + 1n < first.position) return undefined;
    const at = Number(position + 1n - first.position);
    return at < this.events.length ? this.events.slice(at, at + max) : undefined;
  }

  /** Everybody has what stands up to here. */
  forget(position: Position): void {
    const first = this.events[0];
    if (first && position >= first.position) this.events = this.events.slice(Number(position - first.position) + 1);
  }
}
