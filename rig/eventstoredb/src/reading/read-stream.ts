import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import { Failure, streamDeleted } from '../calls/failure.ts';
import { nameOf } from '../calls/proposed.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Render } from './link.ts';
import { lastStreamPosition, streamNotFound } from './messages.ts';
import type { Outlet } from './outlet.ts';
import { isTombstoned, visible } from './visible.ts';

export interface StreamRead {
  from: ReadReq.Options.StreamOptions;
  backwards: boolean;
  count: number;
  render: Render;
  /** Older clients request the last revision at the end. */
  sendLast: boolean;
}

/** Reads a stream. A missing stream is reported by a message, not by the status. */
export async function readStream(log: EventLog, read: StreamRead, outlet: Outlet): Promise<void> {
  const name = nameOf(read.from.getStreamIdentifier());
  if (read.count === 0) throw new Failure(status.UNKNOWN, 'Unexpected ReadStreamResult: Error');
  if (isTombstoned(log, name)) throw streamDeleted(name);
  const range = visible(log, name);
  if (range === undefined) {
    outlet.push(streamNotFound(name));
    return outlet.end();
  }
  const { stream, first, end } = range;
  const given = read.from.hasRevision() ? Number(read.from.getRevision()) : read.from.hasEnd() ? end - 1 : 0;
  let next = read.backwards ? Math.min(given, end - 1) : Math.max(given, first);
  for (let left = read.count; left > 0 && next >= first && next < end && !outlet.gone; left -= 1) {
    const entry = stream.events[next];
    if (entry !== undefined) await outlet.send(read.render(entry, log.message(entry)));
    next += read.backwards ? -1 : 1;
  }
  if (read.sendLast) outlet.push(lastStreamPosition(end - 1));
  outlet.end();
}
