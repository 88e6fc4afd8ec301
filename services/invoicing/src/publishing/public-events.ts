import { createHash } from 'node:crypto';
import { enveloped, topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { derivedUid, iso, versionAt, type Recorded } from '@svc/kernel';
import { idOf } from '../streams.ts';
import type { Publication } from './publisher.ts';

/**
 * What one stored event's publications look like outside, the same bytes at every call. The first that subscribers can see has the
 * stored event's own 128 bits as its id; the others have an id made from them and their type.
 */
export function publicEvents(recorded: Recorded, publications: readonly Publication[]): PublicEvent[] {
  const own = publications.findIndex(({ topic }) => topic !== topics.registration);
  return publications.map((publication, n) => publicEvent(recorded, publication, n === own ? recorded.id : idFor(recorded, publication)));
}

const idFor = ({ id }: Recorded, { type }: Publication): string => derivedUid(id, createHash('sha256').update(`${id} ${type}`).digest());

function publicEvent({ stream, revision, recordedAt, data, metadata }: Recorded, publication: Publication, uid: string): PublicEvent {
  const { at } = data as { at?: string };
  // A resource counts its own versions: a receipt's first is that of its second event.
  const { version = versionAt(revision) } = publication.data as { version?: number };
  const { type, data: resource } = publication;
  const time = at ?? iso(recordedAt);
  return enveloped(metadata, { uid, source: 'invoicing', type, subject: idOf(stream), time, sequence: version, data: resource });
}
