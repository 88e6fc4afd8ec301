import type { EndpointStatus, WebhookEventType } from '@svc/contracts/webhook/vocabulary';
import { DomainError, iso, millisOf } from '@svc/kernel';

/** A secret that was replaced and still signs, until then. */
export interface OldSecret {
  secret: string;
  until: string;
}

/** What decides whether an endpoint receives, and by what its webhooks are signed. Secrets are ciphertexts. */
export interface EndpointState {
  status: EndpointStatus;
  /** Event types, or `*` alone. */
  events: (WebhookEventType | '*')[];
  disabled_reason: string | null;
  deleted: boolean;
  /** When the first failed attempt after the last success ended; null: it does not fail. `failure`: why that one failed, in words. */
  failing_since?: string | null | undefined;
  failure?: string | null | undefined;
  secret: string;
  /** In the order of their making. Some may have ended. */
  old_secrets?: OldSecret[] | undefined;
}

export type Change = Partial<EndpointState>;

/** A failed attempt. */
export interface Failure {
  /** When it ended, in milliseconds since 1970. */
  at: number;
  error: string;
  /** The last attempt of a delivery, answered with 410. */
  isGone: boolean;
  /** When the last attempt that is known to have succeeded ended: what came of it may not be stored in the endpoint. */
  succeeded?: number | undefined;
}

export const HOUR_MS = 3_600_000;
/** api.md §15. */
export const DISABLED_AFTER_HOURS = 120;
/** Replaced secrets that sign at one time, besides the newest: each is one more signature of every webhook. */
const MOST_OLD = 4;

export const BY_REQUEST = 'It was disabled by a request to the API or in the dashboard.';
const GONE = 'It answered 410 (Gone) to the last attempt of a delivery: nothing is there to receive events any more.';

/** Of a live endpoint that one has made or pointed elsewhere who sees no personal data: an owner or admin enables it. */
export const WAITS = 'waits for an owner or admin';

/** Whether such a change has it wait. */
export const waitsFor = ({ env, personalData }: { env: 'live' | 'test'; personalData?: false | undefined }): boolean =>
  env === 'live' && personalData === false;

/** Whether events are sent to it. */
export const mayReceive = ({ status, deleted }: Pick<EndpointState, 'status' | 'deleted'>): boolean => status === 'enabled' && !deleted;

/** Throws `invalid_state` where nothing is sent to it, in words. */
export function checkReceives(endpoint: Pick<EndpointState, 'status' | 'deleted'>): void {
  if (mayReceive(endpoint)) return;
  throw new DomainError('invalid_state', `The endpoint is ${endpoint.deleted ? 'deleted' : 'disabled: enable it first'}.`);
}

/** Whether it subscribes to events of a type. */
export const listensTo = ({ events }: Pick<EndpointState, 'events'>, type: WebhookEventType): boolean =>
  events.includes('*') || events.includes(type);

/** Whether attempts have failed since the last one that succeeded. */
export const isFailing = ({ failing_since }: EndpointState): boolean => typeof failing_since === 'string';

const WELL: Change = { failing_since: null, failure: null };

/** Each of the following returns what changes; undefined: nothing. */
export const disabled = (endpoint: EndpointState, reason: string): Change | undefined =>
  endpoint.status === 'disabled' ? undefined : { status: 'disabled', disabled_reason: reason };

/** Forgets why it was disabled, and that it was failing. */
export const enabled = (endpoint: EndpointState): Change | undefined =>
  endpoint.status === 'enabled' && !isFailing(endpoint) ? undefined : { status: 'enabled', disabled_reason: null, ...WELL };

/** Of an attempt that ended then, in milliseconds since 1970. A failure after it counts. */
export const afterSuccess = ({ failing_since: since }: EndpointState, at: number): Change | undefined =>
  since && millisOf(since) <= at ? WELL : undefined;

/** Whether a failure at that time disables it, unless an attempt has succeeded since the first one. */
export const isFailingLong = (endpoint: EndpointState, at: number): boolean =>
  mayReceive(endpoint) &&
  typeof endpoint.failing_since === 'string' &&
  at - millisOf(endpoint.failing_since) >= DISABLED_AFTER_HOURS * HOUR_MS;

/** Disables it where every attempt of 120 hours failed, or one says that it is gone. An attempt that ends after the disabling changes nothing. */
export function afterFailure(endpoint: EndpointState, { at, error, isGone, succeeded = -Infinity }: Failure): Change | undefined {
  if (!mayReceive(endpoint)) return undefined;
  const isFirst = !isFailing(endpoint) || afterSuccess(endpoint, succeeded) !== undefined;
  const since = isFirst ? iso(at) : endpoint.failing_since;
  const began = isFirst ? { failing_since: since, failure: error } : undefined;
  if (isGone) return { ...began, ...disabled(endpoint, GONE) };
  if (isFirst || !isFailingLong(endpoint, at)) return began;
  const words = `Every attempt of ${DISABLED_AFTER_HOURS} hours failed, from ${since} to ${iso(at)}. The last one: ${error}.`;
  return { ...began, ...disabled(endpoint, words) };
}

/**
 * `secret` signs from now on; those before it go on until they end, the present one for `graceSeconds`. Without grace it is the only one at once. No secret ends before
 * its time: while four replaced ones sign, a rotation with grace throws `invalid_state`, which says until when.
 */
export function rotated(endpoint: EndpointState, secret: string, { now, graceSeconds }: { now: number; graceSeconds: number }): Change {
  if (graceSeconds === 0) return { secret, old_secrets: [] };
  const old = stillSigning(endpoint, now);
  if (old.length >= MOST_OLD) throw tooManySign(old);
  return { secret, old_secrets: [...old, { secret: endpoint.secret, until: iso(now + graceSeconds * 1000) }] };
}

function tooManySign(old: readonly OldSecret[]): DomainError {
  const until = old.map((one) => one.until).toSorted()[0];
  return new DomainError(
    'invalid_state',
    `${MOST_OLD} replaced secrets of the endpoint still sign, which is the most. The first of them ends at ${until}: rotate again then, or send grace_period_seconds: 0 now, ` +
      'which ends all of them at once.',
  );
}

/** The secrets that sign now, the oldest first: the contract's signature is made by that one alone. */
export const signingSecrets = (endpoint: EndpointState, now: number): string[] =>
  endpoint.old_secrets?.length ? [...stillSigning(endpoint, now).map(({ secret }) => secret), endpoint.secret] : [endpoint.secret];

const stillSigning = ({ old_secrets = [] }: EndpointState, now: number): OldSecret[] =>
  old_secrets.filter(({ until }) => millisOf(until) > now);

/** When an endpoint that fails since then is disabled, if no attempt succeeds before. */
export const disabledAfter = (since: string): string => iso(millisOf(since) + DISABLED_AFTER_HOURS * HOUR_MS);
