import { createHash } from 'node:crypto';
import { enveloped, topics, type EventFields, type PublicEvent } from '@svc/contracts/events/envelope';
import { derivedUid, idOf, iso, versionAt, type Position, type Recorded } from '@svc/kernel';
import type { Publication } from './publisher.ts';

/**
 * The public events of one stored event, the same bytes at every call, except `republished` after a restore. The first one outside the
 * registration topic has the stored event's own 128 bits as its id; the others have an id derived from them and their type. Those of an event
 * up to `restoredUntil` say that they are republished.
 */
export function publicEvents(
  source: string,
  recorded: Recorded,
  publications: readonly Publication[],
  restoredUntil?: Position,
): PublicEvent[] {
  const republished = restoredUntil !== undefined && recorded.position <= restoredUntil;
  const own = publications.findIndex(({ topic }) => topic !== topics.registration);
  return publications.map((publication, n) => {
    const before = publications.slice(0, n).filter(({ type }) => type === publication.type).length;
    const uid = n === own ? recorded.id : idFor(recorded, publication, before);
    return publicEvent(recorded, publication, { source, uid, republished });
  });
}

/** `before`: publications of the same type before it. */
const idFor = ({ id }: Recorded, { type }: Publication, before: number): string =>
  derivedUid(
    id,
    createHash('sha256')
      .update(`${id} ${type}${before > 0 ? ` ${before}` : ''}`)
      .digest(),
  );

function publicEvent(
  { stream, revision, recordedAt, data, metadata }: Recorded,
  publication: Publication,
  known: Pick<EventFields, 'source' | 'uid' | 'republished'>,
): PublicEvent {
  const { at } = data as { at?: string };
  // A resource counts its own versions: a receipt's first is that of its second event.
  const { version = versionAt(revision) } = publication.data as { version?: number };
  const { type, data: resource, entry } = publication;
  const time = at ?? iso(recordedAt);
  return enveloped(metadata, { ...known, type, subject: idOf(stream), time, sequence: version, ...(entry && { entry }), data: resource });
}
