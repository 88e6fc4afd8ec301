import { randomUUID } from 'node:crypto';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { streamDeleted } from '../calls/failure.ts';
import { nameOf } from '../calls/proposed.ts';
import { TOMBSTONE } from '../log/event-bytes.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Render } from '../reading/link.ts';
import { caughtUp, confirmation } from '../reading/messages.ts';
import type { Outlet } from '../reading/outlet.ts';
import { isTombstoned, visible } from '../reading/visible.ts';
import { subscribeLive } from './live-tail.ts';

/**
 * Subscribes to a stream after a revision. For a missing stream `caughtUp` is sent after its first event. When the stream is tombstoned the
 * call ends after the tombstone.
 */
export async function subscribeStream(log: EventLog, from: ReadReq.Options.StreamOptions, render: Render, outlet: Outlet): Promise<void> {
  const name = nameOf(from.getStreamIdentifier());
  if (isTombstoned(log, name)) throw streamDeleted(name);
  let range = visible(log, name);
  let isThere = range !== undefined;
  let next = from.hasRevision() ? Number(from.getRevision()) + 1 : from.hasEnd() ? (range?.end ?? 0) : 0;
  outlet.push(confirmation(randomUUID()));
  while (range !== undefined && Math.max(next, range.first) < range.end && !outlet.gone) {
    next = Math.max(next, range.first);
    const entry = range.stream.events[next];
    if (entry !== undefined) await outlet.send(render(entry, log.message(entry)));
    next += 1;
    range = visible(log, name);
  }
  if (isTombstoned(log, name)) throw streamDeleted(name);
  if (isThere) outlet.push(caughtUp);
  subscribeLive(log, log.end(), outlet, ({ entry, message }) => {
    if (entry.stream.name !== name || entry.revision < next) return;
    outlet.push(render(entry, message));
    if (!isThere) outlet.push(caughtUp);
    isThere = true;
    if (entry.revision === TOMBSTONE) outlet.fail(streamDeleted(name));
  });
}
