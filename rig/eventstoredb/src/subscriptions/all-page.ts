import type { EventLog } from '../log/event-log.ts';
import type { LiveEvent } from '../log/live-feed.ts';
import { PAGE_MATCHES, type Filter } from '../reading/filter.ts';

export interface AllPage {
  events: LiveEvent[];
  /** The ordinal where the next page begins. */
  next: number;
  /** Number of events examined. */
  considered: number;
  /** It ended because it was full, not because there were no more events. */
  full: boolean;
  /** The position where it began; 0 at the start of $all. */
  start: number;
}

/** Events of an unfiltered page. */
const WHOLE_PAGE = 256;

export function wholePage(log: EventLog, from: number): AllPage {
  const events = log.messages(from, from + WHOLE_PAGE);
  return { events, next: from + events.length, considered: events.length, full: events.length === WHOLE_PAGE, start: 0 };
}

/** The matches among the next events: one window of the filter, or a page full of matches. */
export function filteredPage(log: EventLog, from: number, filter: Filter): AllPage {
  const events: LiveEvent[] = [];
  let next = from;
  for (; next < from + filter.window && events.length < PAGE_MATCHES; next += 1) {
    const entry = log.entry(next);
    if (entry === undefined) break;
    if (filter.matches(entry)) events.push({ entry, message: log.message(entry) });
  }
  const considered = next - from;
  const full = considered === filter.window || events.length === PAGE_MATCHES;
  return { events, next, considered, full, start: from === 0 ? 0 : (log.entry(from)?.position ?? 0) };
}
