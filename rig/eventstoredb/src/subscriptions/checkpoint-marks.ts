import type { Entry } from '../log/event-index.ts';
import type { Filter } from '../reading/filter.ts';
import { checkpoint } from '../reading/messages.ts';
import type { Outlet } from '../reading/outlet.ts';
import type { AllPage } from './all-page.ts';

/**
 * Sends checkpoints to a filtered subscription: after every `interval` windows of examined events. The count continues from catching up to
 * live.
 */
export class CheckpointMarks {
  private considered = 0;
  private readonly every: number;

  constructor(
    filter: Filter | undefined,
    private readonly outlet: Outlet,
  ) {
    this.every = filter === undefined ? Infinity : filter.interval * filter.window;
  }

  /** After a full page: the position of its last match, or its start with prepare 0. The last page has none. */
  afterPage(page: AllPage): void {
    this.considered += page.considered;
    if (!page.full || this.considered < this.every) return;
    this.considered %= this.every;
    const position = page.events.at(-1)?.entry.position;
    this.outlet.push(position === undefined ? checkpoint(page.start, 0) : checkpoint(position, position));
  }

  afterLive(entry: Entry): void {
    this.considered += 1;
    if (this.considered < this.every) return;
    this.considered = 0;
    this.outlet.push(checkpoint(entry.position, entry.position));
  }
}
