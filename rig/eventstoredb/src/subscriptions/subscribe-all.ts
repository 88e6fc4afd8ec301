import { randomUUID } from 'node:crypto';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { handlerThrew } from '../calls/failure.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Filter } from '../reading/filter.ts';
import type { Render } from '../reading/link.ts';
import { caughtUp, confirmation } from '../reading/messages.ts';
import type { Outlet } from '../reading/outlet.ts';
import { ordinalOf } from '../reading/ordinal.ts';
import { CheckpointMarks } from './checkpoint-marks.ts';
import { filteredPage, wholePage } from './all-page.ts';
import { subscribeLive } from './live-tail.ts';

/** Subscribes to $all after a position: sends existing events, then new ones. */
export async function subscribeAll(
  log: EventLog,
  from: ReadReq.Options.AllOptions,
  filter: Filter | undefined,
  render: Render,
  outlet: Outlet,
): Promise<void> {
  const position = from.getPosition();
  const given = position === undefined ? undefined : ordinalOf(log, position, handlerThrew());
  let next = given === undefined ? (from.hasEnd() ? log.end() : 0) : given.ordinal + (given.isEvent ? 1 : 0);
  outlet.push(confirmation(randomUUID()));
  const marks = new CheckpointMarks(filter, outlet);
  while (next < log.end() && !outlet.gone) {
    const page = filter === undefined ? wholePage(log, next) : filteredPage(log, next, filter);
    for (const { entry, message } of page.events) await outlet.send(render(entry, message));
    marks.afterPage(page);
    next = page.next;
  }
  outlet.push(caughtUp);
  subscribeLive(log, next, outlet, ({ entry, message }) => {
    if (filter === undefined || filter.matches(entry)) outlet.push(render(entry, message));
    marks.afterLive(entry);
  });
}
