import type { Position, Recorded } from '@svc/kernel';
import { memoryOf, sizeOfBatch } from '../event-bytes.ts';
import { BATCH } from '../port.ts';

const MOST_EVENTS = 4_000;
const MOST_BYTES = 96 * 1_048_576;

/**
 * The events committed last, kept until every subscription has them: it need not read and parse again what was just in memory.
 * Bounded in number and in bytes of data and states; a subscription behind the oldest of them reads the table.
 */
export class RecentEvents {
  private events: Recorded[] = [];
  private bytes = 0;

  constructor(
    private readonly most = MOST_EVENTS,
    private readonly mostBytes = MOST_BYTES,
  ) {}

  /** Events of one commit, in order; after a gap the earlier ones are dropped. */
  add(committed: readonly Recorded[]): void {
    const last = this.events.at(-1);
    if (last && committed[0]?.position !== last.position + 1n) this.drop(this.events.length);
    this.events.push(...committed);
    this.bytes += sum(committed);
    if (this.events.length > this.most) this.drop(this.events.length - Math.ceil(this.most / 2));
    while (this.bytes > this.mostBytes && this.events.length > committed.length) this.drop(1);
  }

  /** A batch of events right after `position`; undefined when they are not cached. */
  after(position: Position): Recorded[] | undefined {
    const first = this.events[0];
    if (!first || position + 1n < first.position) return undefined;
    const at = Number(position + 1n - first.position);
    const next = this.events.slice(at, at + BATCH);
    return next.length > 0 ? next.slice(0, sizeOfBatch(next)) : undefined;
  }

  /** Every subscription has the events up to here. */
  forget(position: Position): void {
    const first = this.events[0];
    if (first && position >= first.position) this.drop(Number(position - first.position) + 1);
  }

  private drop(count: number): void {
    this.bytes -= sum(this.events.slice(0, count));
    this.events = this.events.slice(count);
  }
}

const sum = (events: readonly Recorded[]): number => events.reduce((total, event) => total + memoryOf(event), 0);

/** Wakes those who wait for a commit, in a later turn than the callers whose appends are acknowledged. */
export class Wake {
  private readonly waiting = new Set<() => void>();
  private scheduled = false;

  all(): void {
    if (this.scheduled || this.waiting.size === 0) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      for (const go of this.waiting) go();
      this.waiting.clear();
    });
  }

  /** Resolves after the next `all`, or when the signal aborts. */
  wait(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const go = (): void => {
        signal.removeEventListener('abort', go);
        this.waiting.delete(go);
        resolve();
      };
      this.waiting.add(go);
      signal.addEventListener('abort', go, { once: true });
    });
  }
}
