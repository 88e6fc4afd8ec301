import type { SettingVerb } from '@svc/contracts/audit/setting-changed';
import type { Clock } from '@svc/kernel';
import { type Audited, changesOf, type Identity, withChangeBy } from '@svc/service';
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
  const target = { id: after._id, name: after.description };
  return withChangeBy(before, { type: 'webhook_endpoint', verb, target, changes: changesOf(AUDITED, before, after) }, identity, clock);
};
