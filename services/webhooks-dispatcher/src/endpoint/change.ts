import { isDeepStrictEqual } from 'node:util';
import { type Calculated, checkCalculated } from '@svc/contracts/schema/calculated';
import type { RotateSecret, UpdateWebhook } from '@svc/contracts/webhook/requests';
import { compareAndSet } from '@svc/document-store';
import { DomainError, invalid, iso, mergeMetadata, notFound } from '@svc/kernel';
import { checkVersion, type Identity, type IfMatch } from '@svc/service';
import { problemOfUrl } from '../sending/check-url.ts';
import { newSecret } from '../sending/sign.ts';
import { auditedChange } from './audited-change.ts';
import type { EndpointContext } from './context.ts';
import { BY_REQUEST, disabled, enabled, rotated, WAITS, waitsFor } from './domain/endpoint.ts';
import { decrypted, type Ended, type Endpoint, endpointResource, versionOf } from './endpoint.ts';
import { endpointOf, own } from './find.ts';
import { mergedHeaders, problemOfCount, problemsOfHeaders } from './headers.ts';

/** The endpoint that a command changes. */
interface Named {
  id: string;
  ifMatch?: IfMatch | undefined;
}

/**
 * Changes an endpoint once for each command, whatever is changed meanwhile. `change` returns undefined where nothing changes; it may be called again with a newer
 * endpoint. Throws `not_found`, and `version_conflict` when `ifMatch` names another version.
 */
async function changeEndpoint(
  { endpoints, clock }: EndpointContext,
  identity: Identity,
  { id, ifMatch }: Named,
  change: (endpoint: Endpoint) => Partial<Endpoint> | undefined,
): Promise<Endpoint> {
  const { doc } = await compareAndSet(endpoints, id, {
    absent: () => own(undefined, identity),
    change(found) {
      const endpoint = own(found, identity);
      if (endpoint.deleted) throw notFound('webhook endpoint');
      if (endpoint.changed_by === identity.commandId) return undefined;
      checkVersion(ifMatch, versionOf(endpoint));
      const set = change(endpoint);
      if (!set) return undefined;
      const next = { ...set, changed_by: identity.commandId, updated_at: iso(clock.now()), revision: versionOf(endpoint) + 1 };
      return { ...next, ...auditedChange(endpoint, { ...endpoint, ...set }, set.secret ? 'secret_rotated' : 'updated', identity, clock) };
    },
  });
  return doc;
}

interface Patch {
  body: UpdateWebhook;
  calculated?: Calculated | undefined;
  /** Of the answer, to judge calculated fields that were sent. */
  ended: Ended;
}

/** Merges the body into the endpoint (RFC 7396). What waits is sent to the new URL, with the new headers. Throws as its creation does. */
export async function updateEndpoint(
  context: EndpointContext,
  identity: Identity,
  named: Named,
  { body, calculated, ended }: Patch,
): Promise<Endpoint> {
  const { url } = body;
  const before = await endpointOf(context, identity, named.id);
  const problem = url === undefined || url === before.url ? undefined : await problemOfUrl(url, context.allowed, context.resolve);
  const problems = { ...(problem && { url: [problem] }), ...problemsOfHeaders(body.headers ?? {}) };
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return changeEndpoint(context, identity, named, (now) => {
    const change = changed(now, waiting(now, merge(context, now, body), identity));
    checkCalculated(calculated, endpointResource(now, ended), () => endpointResource({ ...now, ...change }, ended));
    return change;
  });
}

function merge({ ring }: EndpointContext, now: Endpoint, body: UpdateWebhook): Partial<Endpoint> {
  const { url, events, description, metadata, status, headers, rate_per_second } = body;
  const cipher = { encrypt: (value: string) => ring.encrypt(value), decrypt: (ciphertext: string) => decrypted(now, ciphertext, ring) };
  const kept = headers === undefined ? now.headers : mergedHeaders(now.headers ?? [], headers, cipher);
  const tooMany = problemOfCount(kept ?? []);
  if (tooMany) throw invalid({ headers: [tooMany] });
  return {
    ...(url !== undefined && { url }),
    ...(events && { events: [...new Set(events)] }),
    ...(description !== undefined && { description }),
    ...(metadata !== undefined && { metadata: mergeMetadata(now.metadata, metadata) }),
    ...(headers !== undefined && { headers: kept ?? [] }),
    ...(rate_per_second !== undefined && { rate_per_second }),
    ...(status === 'enabled' && now.status === 'disabled' && enabled(now)),
    ...(status === 'disabled' && cancelling(disabled(now, BY_REQUEST))),
  };
}

/** Of one who sees no personal data: what is sent elsewhere waits for an owner or admin, and nothing that waits is enabled. */
function waiting(now: Endpoint, next: Partial<Endpoint>, identity: Identity): Partial<Endpoint> {
  if (!waitsFor(identity)) return next;
  const isElsewhere =
    changed(now, { ...(next.url !== undefined && { url: next.url }), ...(next.events && { events: next.events }) }) !== undefined;
  const { status: _, disabled_reason: _1, failing_since: _2, failure: _3, ...others } = next;
  if (isElsewhere) return { ...others, ...cancelling({ status: 'disabled', disabled_reason: WAITS }) };
  return now.disabled_reason === WAITS ? others : next;
}

/** Only the fields of other values; undefined where there is none. */
function changed(now: Endpoint, next: Partial<Endpoint>): Partial<Endpoint> | undefined {
  const differing = Object.entries(next).filter(
    ([field, value]) => !isDeepStrictEqual(now[field as keyof Endpoint] ?? null, value ?? null),
  );
  return differing.length > 0 ? Object.fromEntries(differing) : undefined;
}

/** The change of a disabling: pending deliveries are cancelled after it. */
export const cancelling = (change: Partial<Endpoint> | undefined): Partial<Endpoint> | undefined =>
  change?.status === 'disabled' ? { ...change, cleared_at: null } : change;

/** Enables it and forgets that it was failing. What happened while it was disabled is not sent. */
export const enableEndpoint = (context: EndpointContext, identity: Identity, named: Named): Promise<Endpoint> =>
  changeEndpoint(context, identity, named, (now) => {
    if (now.disabled_reason === WAITS && waitsFor(identity))
      throw new DomainError('insufficient_permissions', 'This endpoint waits for an owner or admin of the account, who enables it.');
    return enabled(now);
  });

const DAY_S = 86_400;

/**
 * Makes a new secret; the present one goes on signing for a day, or as long as the body says. A repeat of the command returns the same secret. Throws `invalid_state` while
 * four replaced ones sign.
 */
export async function rotateSecret(
  context: EndpointContext,
  identity: Identity,
  named: Named,
  { grace_period_seconds: graceSeconds = DAY_S }: RotateSecret,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const { ring, clock } = context;
  const made = ring.encrypt(newSecret());
  const endpoint = await changeEndpoint(context, identity, named, (now) =>
    now.secret_by === identity.commandId
      ? undefined
      : { ...rotated(now, made, { now: clock.now(), graceSeconds }), secret_by: identity.commandId },
  );
  return { endpoint, secret: decrypted(endpoint, endpoint.secret, ring) };
}

/**
 * Marks an endpoint as deleted and frees its slot; nothing more is sent to it. The delivery worker cancels its pending deliveries.
 * Repeating the command returns the same answer. Throws `not_found`, and `version_conflict` when `ifMatch` names another version.
 */
export async function deleteEndpoint(context: EndpointContext, identity: Identity, id: string, ifMatch?: IfMatch): Promise<Endpoint> {
  const { doc } = await compareAndSet(context.endpoints, id, {
    absent: () => own(undefined, identity),
    change(found) {
      const endpoint = own(found, identity);
      const { deleted, deleted_by } = endpoint;
      if (deleted_by === identity.commandId) return undefined;
      if (deleted) throw notFound('webhook endpoint');
      checkVersion(ifMatch, versionOf(found));
      const now = iso(context.clock.now());
      const gone = {
        deleted: true,
        deleted_at: now,
        deleted_by: identity.commandId,
        updated_at: now,
        place: `gone-${id}`,
        cleared_at: null,
      };
      const audited = auditedChange(endpoint, endpoint, 'deleted', identity, context.clock);
      return { ...gone, revision: versionOf(endpoint) + 1, ...audited };
    },
  });
  return doc;
}
