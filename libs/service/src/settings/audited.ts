import type { SettingChange, SettingType, SettingVerb } from '@svc/contracts/audit/setting-changed';
import type { Job } from '@svc/document-store';
import { createHash } from 'node:crypto';
import { type Actor, type Clock, derivedUid, DomainError, type Ids, iso, sameJson } from '@svc/kernel';
import type { Identity } from '../identity/identity.ts';

/** A stored document whose changes are for the audit. It carries those that are not published yet, so that a crash loses none. */
export interface Audited extends Job {
  /** In their order. */
  unpublished?: SettingChange[] | undefined;
}

export interface Change {
  actor: Actor;
  requestId?: string | undefined;
  type: SettingType;
  verb: SettingVerb;
  target: { id: string | null; name: string | null };
  changes: SettingChange['changes'];
}

const MOST_UNPUBLISHED = 20;
/** UTF-8 bytes of the JSON of a value; a longer one is named by its length. */
const MOST_VALUE = 4_096;

/** The fields of a document that carry one more change, to be stored with that change. Throws `service_unavailable` where 20 wait: the bus takes none. */
export function withChange(
  doc: Pick<Audited, 'unpublished'> | undefined,
  change: Change,
  { clock, ids }: { clock: Pick<Clock, 'now'>; ids: Ids },
): Pick<Audited, 'unpublished' | 'due_at'> {
  const waiting = doc?.unpublished ?? [];
  if (waiting.length >= MOST_UNPUBLISHED)
    throw new DomainError('service_unavailable', 'Changes are not recorded at the moment. Nothing was done; try again.', undefined, 5);
  return { unpublished: [...waiting, entryOf(change, ids.next(), clock.now())], due_at: clock.now() };
}

/** The same for a change by a request: a repeat of its command carries the same entry. */
export const withChangeBy = (
  doc: Pick<Audited, 'unpublished'> | undefined,
  change: Omit<Change, 'actor' | 'requestId'>,
  { actor, requestId, commandId }: Pick<Identity, 'actor' | 'requestId' | 'commandId'>,
  clock: Pick<Clock, 'now'>,
): Pick<Audited, 'unpublished' | 'due_at'> => {
  const id = derivedUid(commandId, createHash('sha256').update(`${commandId} ${change.type} ${change.verb}`).digest());
  return withChange(doc, { actor, requestId, ...change }, { clock, ids: { next: () => id } });
};

/** `now`: milliseconds since 1970. */
export function entryOf({ actor, requestId, type, verb, target, changes }: Change, id: string, now: number): SettingChange {
  const { via, ip } = actor;
  return {
    ...{ id, at: iso(now), actor: auditedActor(actor), action: `${type}.${verb}`, target: { type, ...target } },
    changes: Object.fromEntries(Object.entries(changes).map(([field, { from, to }]) => [field, { from: bounded(from), to: bounded(to) }])),
    ...(via && { via }),
    ...(ip && { ip }),
    ...(requestId && { request_id: requestId }),
  };
}

/** Who did it, as the audit shows it. Operators act by the operators' port, with an id that begins so. */
export const auditedActor = ({ type, id }: Pick<Actor, 'type' | 'id'>): SettingChange['actor'] => ({
  type: type === 'system' && id.startsWith('operator') ? 'operator' : type,
  id,
});

/** The fields of two versions that differ, of those that are named. */
export const changesOf = <D extends object>(
  fields: readonly (keyof D & string)[],
  before: D | undefined,
  after: D | undefined,
): SettingChange['changes'] =>
  Object.fromEntries(
    fields
      .map((field) => [field, { from: before?.[field] ?? null, to: after?.[field] ?? null }] as const)
      .filter(([, { from, to }]) => !sameJson(from, to)),
  );

function bounded(value: unknown): unknown {
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? '');
  return bytes > MOST_VALUE ? `(${bytes} bytes)` : value;
}
