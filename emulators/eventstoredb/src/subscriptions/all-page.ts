import type { EventLog } from '../log/event-log.ts';
import type { LiveEvent } from '../log/live-feed.ts';
import { PAGE_MATCHES, type Filter } from '../reading/filter.ts';

export interface AllPage {
  events: LiveEvent[];
  /** Where the next page begins, an ordinal. */
  next: number;
  /** Events looked at. */
  considered: number;
  /** It ended because it was full, and not because there was no more. */
  full: boolean;
  /** The position where it began; 0 at the very beginning. */
  start: number;
}

/** Events of a page when nothing is filtered. */
const WHOLE_PAGE = 256;

export function wholePage(log: EventLog, from: number): AllPage {
  const events = log.messages(from, from + WHOLE_PAGE);
  return { events, next: from + events.length, considered: events.length, full: events.length === WHOLE_PAGE, start: 0 };
}

/** The matches among the next events, as many as the filter's window has, or until a page is full of matches. */
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
