import type { SettingVerb } from '@svc/contracts/audit/setting-changed';
import { type Clock, derivedUid, firstUidAt } from '@svc/kernel';
import { createHash } from 'node:crypto';
import { type Audited, changesOf, type Identity, withChange, withChangeBy } from '@svc/service';
import type { Endpoint } from './endpoint.ts';

/** What the audit shows: neither secrets nor the values of headers. */
const AUDITED = ['url', 'events', 'description', 'status', 'disabled_reason', 'rate_per_second'] as const;

/** The fields that carry a change of an endpoint for the audit. */
export const auditedChange = (
  before: Endpoint | undefined,
  after: Endpoint,
  verb: SettingVerb,
  identity: Identity,
  clock: Pick<Clock, 'now'>,
): Pick<Audited, 'unpublished' | 'due_at'> => {
  const change = { ...changed(after, verb), changes: changesOf(AUDITED, before, after) };
  return withChangeBy(before, change, identity, clock);
};

const changed = ({ _id, description }: Endpoint, verb: SettingVerb) => ({
  ...{ type: 'webhook_endpoint' as const, verb, target: { id: _id, name: description } },
});

/** The same of an endpoint that its failed attempts disable. */
export function disabledOf(before: Endpoint, after: Endpoint, clock: Pick<Clock, 'now'>): Pick<Audited, 'unpublished' | 'due_at'> {
  const uid = derivedUid(firstUidAt(clock.now()), createHash('sha256').update(`${before._id} ${before.version}`).digest());
  const change = { ...changed(after, 'updated'), changes: changesOf(AUDITED, before, after) };
  return withChange(before, { actor: { type: 'system', id: 'webhooks-dispatcher' }, ...change }, { clock, ids: { next: () => uid } });
}
