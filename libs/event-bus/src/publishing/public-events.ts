import { createHash } from 'node:crypto';
import { enveloped, topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { derivedUid, idOf, iso, versionAt, type Recorded } from '@svc/kernel';
import type { Publication } from './publisher.ts';

/**
 * The public events of one stored event, the same bytes at every call. The first one outside the registration topic has the stored
 * event's own 128 bits as its id; the others have an id derived from them and their type.
 */
export function publicEvents(source: string, recorded: Recorded, publications: readonly Publication[]): PublicEvent[] {
  const own = publications.findIndex(({ topic }) => topic !== topics.registration);
  return publications.map((publication, n) =>
    publicEvent(source, recorded, publication, n === own ? recorded.id : idFor(recorded, publication)),
  );
}

const idFor = ({ id }: Recorded, { type }: Publication): string => derivedUid(id, createHash('sha256').update(`${id} ${type}`).digest());

function publicEvent(
  source: string,
  { stream, revision, recordedAt, data, metadata }: Recorded,
  publication: Publication,
  uid: string,
): PublicEvent {
  const { at } = data as { at?: string };
  // A resource counts its own versions: a receipt's first is that of its second event.
  const { version = versionAt(revision) } = publication.data as { version?: number };
  const { type, data: resource } = publication;
  const time = at ?? iso(recordedAt);
  return enveloped(metadata, { uid, source, type, subject: idOf(stream), time, sequence: version, data: resource });
}
