import type { AuditQuery } from '@svc/contracts/console/queries';
import type { AuditEntryResource, ConsoleActor } from '@svc/contracts/console/resources';
import type { Filter } from '@svc/document-store';
import { auditedActor } from '@svc/service';
import type { Names } from '../actors/actor-names.ts';
import { madeBetween } from '../made-between.ts';
import type { FirstEntry } from './entry.ts';
import type { StoredEntry } from './store.ts';

/** Days are UTC; the end is inclusive. Entries are found by the time in their ids. */
export function filterOf(account: string, { actor, action, target, from, to }: Partial<AuditQuery>): Filter {
  return {
    account,
    ...(actor !== undefined && { actor_id: actor }),
    ...(action !== undefined && { action }),
    ...(target !== undefined && { target_id: target }),
    ...madeBetween({ from, to }),
  };
}

/** The ids in entries that may have a name. */
export const namedIn = (entries: readonly StoredEntry[]): string[] => [
  ...new Set(entries.map(changeOf).flatMap(({ actor, target }) => [actor.id ?? '', target.type === 'member' ? (target.id ?? '') : ''])),
];

export function entryResource(entry: StoredEntry, names: Names): AuditEntryResource {
  const shown = changeOf(entry);
  const nameOf = (id: string | null): string | null => names.get(id ?? '') ?? null;
  return {
    ...shown,
    actor: { ...shown.actor, name: nameOf(shown.actor.id) },
    target: { ...shown.target, name: shown.target.name ?? nameOf(shown.target.id) },
  };
}

function changeOf(entry: StoredEntry): AuditEntryResource {
  if (!('change' in entry)) return changeOfFirst(entry);
  const { id, at, actor, action, target, changes, via, ip, request_id } = entry.change;
  return {
    id,
    at,
    actor: { ...actor, name: null },
    action,
    target,
    changes,
    via: via ?? null,
    ip: ip ?? null,
    request_id: request_id ?? null,
  };
}

const ACTIONS: Record<string, string> = { changed: 'updated', revoked: 'deleted' };

/** until 0.3 */
function changeOfFirst({ _id: id, at, actor, action, target, changes }: FirstEntry): AuditEntryResource {
  const [type = '', verb = ''] = action.split('.');
  return {
    ...{ id, at, actor: actorOf(actor), action: `${type}.${ACTIONS[verb] ?? verb}`, target: { type, id: target, name: null } },
    changes: Object.fromEntries(Object.entries(changes).map(([field, to]) => [field, { from: null, to }])),
    ...{ via: null, ip: null, request_id: null },
  };
}

const actorOf = (actor: FirstEntry['actor']): ConsoleActor => ({ ...auditedActor(actor), name: null });
