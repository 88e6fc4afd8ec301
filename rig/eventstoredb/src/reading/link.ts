import type { Entry } from '../log/event-index.ts';
import type { EventLog } from '../log/event-log.ts';
import { resolvedLink } from './messages.ts';
import { visible } from './visible.ts';

const LINK = '$>';

/** Makes the message of an event; with links resolved, that of a link contains its target. */
export type Render = (entry: Entry, message: Buffer) => Buffer;
export const asStored: Render = (_entry, message) => message;
export const withLinks =
  (log: EventLog): Render =>
  (entry, message) => {
    if (entry.type !== LINK) return message;
    const target = linked(log, entry);
    return resolvedLink(target && log.event(target), log.event(entry));
  };

/** The target of a link, `revision@stream`; undefined when it is not readable. */
function linked(log: EventLog, link: Entry): Entry | undefined {
  const [, revision, name] = /^(\d+)@(.+)$/s.exec(Buffer.from(log.event(link).data).toString()) ?? [];
  const target = name === undefined ? undefined : visible(log, name);
  const entry = target !== undefined && Number(revision) >= target.first ? target.stream.events[Number(revision)] : undefined;
  return log.isReadable(entry) ? entry : undefined;
}
