import { createHash } from 'node:crypto';
import type { SettingChange } from '@svc/contracts/audit/setting-changed';
import { derivedUid, iso, millisOf, type Recorded } from '@svc/kernel';
import { type Change, entryOf } from './audited.ts';

/** The entry of the audit that a stored event is: the same one however often it is published. `source`: who did it where the event names nobody. */
export function changeOfEvent(
  { id, metadata, recordedAt, data }: Recorded,
  change: Omit<Change, 'actor' | 'requestId'>,
  source: string,
): SettingChange {
  const { at = iso(recordedAt) } = data as { at?: string };
  const actor = metadata.actor ?? ({ type: 'system', id: source } as const);
  const uid = derivedUid(id, createHash('sha256').update(`${id} ${change.type} ${change.target.id}`).digest());
  return entryOf({ ...change, actor, requestId: metadata.request_id }, uid, millisOf(at));
}
