import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import { Failure } from '../calls/failure.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Filter } from './filter.ts';
import type { Render } from './link.ts';
import type { Outlet } from './outlet.ts';
import { ordinalOf } from './ordinal.ts';

export interface AllRead {
  from: ReadReq.Options.AllOptions;
  backwards: boolean;
  count: number;
  filter: Filter | undefined;
  render: Render;
}

/** Events of one read of the file. */
const PAGE = 256;

/** Reads $all. Forwards includes the event at the position, backwards excludes it. */
export async function readAll(log: EventLog, read: AllRead, outlet: Outlet): Promise<void> {
  const position = read.from.getPosition();
  const odd = new Failure(status.UNKNOWN, 'Unexpected ReadAllResult: Error');
  const given = position === undefined ? undefined : ordinalOf(log, position, odd).ordinal;
  // EventStoreDB reads the same empty page for ever.
  if (read.count === 0) return;
  const start = given ?? (read.from.hasEnd() ? log.end() : 0);
  const pages = read.backwards ? backwards(log, start) : forwards(log, start);
  let left = read.count;
  for (const page of pages) {
    for (const { entry, message } of page) {
      if (read.filter !== undefined && !read.filter.matches(entry)) continue;
      await outlet.send(read.render(entry, message));
      left -= 1;
      if (left === 0 || outlet.gone) return outlet.end();
    }
  }
  outlet.end();
}

function* forwards(log: EventLog, start: number) {
  const end = log.end();
  for (let next = start; next < end;) {
    const page = log.messages(next, Math.min(next + PAGE, end));
    yield page;
    next += page.length;
  }
}

function* backwards(log: EventLog, start: number) {
  for (let end = start; end > 0;) {
    const from = Math.max(0, end - PAGE);
    const pages = [];
    for (let next = from; next < end;) {
      const page = log.messages(next, end);
      pages.push(page);
      next += page.length;
    }
    yield pages.flat().reverse();
    end = from;
  }
}
