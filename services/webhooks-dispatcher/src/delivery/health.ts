import { compareAndSet } from '@svc/document-store';
import { iso, millisOf, recentlyUsed } from '@svc/kernel';
import { Counter } from '@svc/service';
import { disabledOf } from '../endpoint/audited-change.ts';
import { cancelling } from '../endpoint/change.ts';
import { afterFailure, afterSuccess, type Change, type Failure, isFailing, isFailingLong } from '../endpoint/domain/endpoint.ts';
import { type Ended, type Endpoint, NONE_ENDED, unseen, versionOf } from '../endpoint/endpoint.ts';
import { shownRecovery } from '../endpoint/recovery.ts';
import type { WebhooksContext } from './context.ts';
import { type Delivery, errorOf, failureOf, isSuccess, type Made } from './delivery.ts';

const changes = new Counter({
  name: 'svc_webhook_endpoint_changes_total',
  help: 'Webhook endpoints whose attempts began to fail, succeeded again after that, or that were disabled because of it',
  labelNames: ['to'],
});
for (const to of ['failing', 'ok', 'disabled']) changes.inc({ to }, 0);

/** An attempt that took longer judges the endpoint as it is now, not as it was when the attempt began. */
const BRIEF_MS = 1_000;
/** Endpoints whose last failure is remembered: a success that was under way by then ends the failing. */
const REMEMBERED = 10_000;
/** Deliveries of an endpoint that are looked at before its disabling. They are in the order of their events: one that was retried may have succeeded after those behind it. */
const NEWEST = 100;
const NEWEST_BYTES = 256 * 1024;

/**
 * Stores what an attempt says about its endpoint: only a change is a write. `isGone`: the last attempt of its delivery, answered with 410. What is disabled by it loses its
 * pending deliveries (`cancel`). Where it is gone, rejects when that cannot be stored; otherwise never: the next attempt says it again.
 */
export function createHealth(
  { endpoints, deliveries, clock, logger }: Pick<WebhooksContext, 'endpoints' | 'deliveries' | 'clock' | 'logger'>,
  cancel: (endpoint: string) => void,
) {
  const failedAt = recentlyUsed<number>(REMEMBERED);

  async function store({ _id, account, env }: Endpoint, decide: (now: Endpoint) => Change | undefined): Promise<void> {
    const { doc, changed } = await compareAndSet(endpoints, _id, {
      absent: () => undefined,
      change(now) {
        const change = decide(now);
        if (!change) return undefined;
        if (!change.status) return unseen(now, change);
        const shown = { updated_at: iso(clock.now()), revision: versionOf(now) + 1 };
        return { ...cancelling(change), ...shown, ...disabledOf(now, { ...now, ...change }, clock) };
      },
    });
    if (!changed || !doc) return;
    changes.inc({ to: doc.status === 'disabled' ? 'disabled' : isFailing(doc) ? 'failing' : 'ok' });
    if (doc.status === 'enabled') return;
    logger.warn({ account, env, endpoint: _id, reason: doc.disabled_reason }, 'a webhook endpoint was disabled');
    cancel(_id);
  }

  /** A success may not be stored in the endpoint: its process has died, or another one had not read yet that the endpoint failed. */
  async function storeFailure(endpoint: Endpoint, failure: Failure): Promise<void> {
    const succeeded = isFailingLong(endpoint, failure.at) ? await lastSuccessOf(deliveries, endpoint._id) : undefined;
    await store(endpoint, (now) => afterFailure(now, { ...failure, succeeded }));
  }

  /** undefined: there is nothing to store. */
  return (endpoint: Endpoint, { answered, began, ended }: Made, isGone: boolean): Promise<void> | undefined => {
    const failure = isSuccess(answered) ? undefined : { at: ended, error: failureOf(answered), isGone };
    const decide = (now: Endpoint): Change | undefined => (failure ? afterFailure(now, failure) : afterSuccess(now, ended));
    const isAsRead = ended - began < BRIEF_MS && (failedAt.get(endpoint._id) ?? -Infinity) < began;
    if (failure) failedAt.set(endpoint._id, ended);
    if (isAsRead && decide(endpoint) === undefined) return undefined;
    const stored = failure ? storeFailure(endpoint, failure) : store(endpoint, decide);
    if (isGone) return stored;
    return stored.catch((error: unknown) =>
      logger.warn(
        { err: error, endpoint: endpoint._id },
        'the health of a webhook endpoint was not stored; the next attempt says it again',
      ),
    );
  };
}

export type RecordHealth = ReturnType<typeof createHealth>;

/** When the last attempt of a delivery that has succeeded ended, in milliseconds. */
function successOf({ attempts }: Delivery): number | undefined {
  const success = attempts.findLast(({ status_code }) => status_code !== null && status_code >= 200 && status_code < 300);
  return success && millisOf(success.at) + success.duration_ms;
}

async function lastSuccessOf(deliveries: WebhooksContext['deliveries'], endpoint: string): Promise<number | undefined> {
  const newest = { sort: { _id: -1 }, limit: NEWEST } as const;
  const { docs } = await deliveries.page({ endpoint_id: endpoint, status: 'succeeded' }, newest, NEWEST_BYTES);
  return docs.map(successOf).reduce((last, at) => Math.max(last ?? -Infinity, at ?? -Infinity), undefined);
}

/** What the newest of an endpoint's deliveries that have ended, and its last recovery, say. */
export async function endedOf(
  { deliveries, recoveries }: Pick<WebhooksContext, 'deliveries' | 'recoveries'>,
  endpoint: string,
): Promise<Ended> {
  const newest = async (status: 'succeeded' | 'failed'): Promise<Delivery | undefined> =>
    (await Array.fromAsync(deliveries.find({ endpoint_id: endpoint, status }, { sort: { _id: -1 }, limit: 1 })))[0];
  const [succeeded, failed, recovery] = await Promise.all([newest('succeeded'), newest('failed'), recoveries.get(endpoint)]);
  const success = succeeded && successOf(succeeded);
  const failure = failed?.attempts.at(-1);
  return {
    last_success_at: success ? iso(success) : NONE_ENDED.last_success_at,
    failed: failure ? { at: failure.at, error: errorOf(failure) } : NONE_ENDED.failed,
    recovery: recovery ? shownRecovery(recovery) : NONE_ENDED.recovery,
  };
}
