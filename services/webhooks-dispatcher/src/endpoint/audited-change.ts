import type { SettingVerb } from '@svc/contracts/audit/setting-changed';
import { type Clock, derivedUid, firstUidAt } from '@svc/kernel';
import { createHash } from 'node:crypto';
import { type Audited, changesOf, type Identity, withChange, withChangeBy } from '@svc/service';
import type { Endpoint } from './endpoint.ts';

/** What the audit shows: neither secrets nor the values of headers. */
const AUDITED = ['url', 'events', 'description', 'status', 'disabled_reason', 'rate_per_second'] as const;

const LONGEST_NAME = 255;

/** An address may have a token in its query or before its host: the audit is kept for years. */
function shown(endpoint: Endpoint): Endpoint {
  if (!URL.canParse(endpoint.url)) return endpoint;
  const { origin, pathname } = new URL(endpoint.url);
  return { ...endpoint, url: `${origin}${pathname}` };
}

/** The fields that carry a change of an endpoint for the audit. */
export const auditedChange = (
  before: Endpoint | undefined,
  after: Endpoint,
  verb: SettingVerb,
  identity: Identity,
  clock: Pick<Clock, 'now'>,
): Pick<Audited, 'unpublished' | 'due_at'> => {
  return withChangeBy(before, changed(before, after, verb), identity, clock);
};

/** How the audit names an endpoint. */
export const endpointAudited = ({ _id, description }: Endpoint) =>
  ({ type: 'webhook_endpoint', target: { id: _id, name: description?.slice(0, LONGEST_NAME) ?? null } }) as const;

const changed = (before: Endpoint | undefined, after: Endpoint, verb: SettingVerb) => ({
  ...{ ...endpointAudited(after), verb },
  changes: changesOf(AUDITED, before && shown(before), shown(after)),
});

/** The same of an endpoint that its failed attempts disable. */
export function disabledOf(before: Endpoint, after: Endpoint, clock: Pick<Clock, 'now'>): Pick<Audited, 'unpublished' | 'due_at'> {
  const uid = derivedUid(firstUidAt(clock.now()), createHash('sha256').update(`${before._id} ${before.version}`).digest());
  const change = { actor: { type: 'system' as const, id: 'webhooks-dispatcher' }, ...changed(before, after, 'updated') };
  return withChange(before, change, { clock, ids: { next: () => uid } });
}
