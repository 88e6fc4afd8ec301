import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Entry } from '../log/event-index.ts';

export interface Filter {
  matches(entry: Entry): boolean;
  /** Events examined before a page ends. */
  window: number;
  /** Windows between two checkpoints. */
  interval: number;
}

/** The default window; also the limit of matches of a page. */
export const PAGE_MATCHES = 32;

/** The filter of a request. A name matches when it has any of the prefixes; case counts. */
export function filterOf(options: ReadReq.Options.FilterOptions): Filter {
  const byStream = options.getStreamIdentifier();
  const expression = byStream ?? options.getEventType();
  const matchesName = nameMatcher({ prefixes: expression?.getPrefixList() ?? [''], regex: expression?.getRegex() ?? '' });
  return {
    matches: (entry) => matchesName(byStream === undefined ? entry.type : entry.stream.name),
    window: options.hasMax() ? options.getMax() : PAGE_MATCHES,
    interval: options.getCheckpointintervalmultiplier(),
  };
}

/** Whether a name has one of the prefixes, or matches the expression when there is one. */
function nameMatcher({ prefixes, regex }: { prefixes: string[]; regex: string }): (name: string) => boolean {
  if (regex === '') return (name) => prefixes.some((prefix) => name.startsWith(prefix));
  const pattern = new RegExp(regex);
  return (name) => pattern.test(name);
}
