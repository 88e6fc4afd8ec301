import type { HourOfEndpoint } from '@svc/contracts/console/resources';
import { ENDPOINT_HOURS, EndpointHoursRequest, type EndpointHours } from '@svc/contracts/webhook/endpoint-hours';
import type { DocumentStore } from '@svc/document-store';
import { firstUidAt, iso, millisOf, nextTurn, prefixed, timeOf } from '@svc/kernel';
import type { InternalRoute } from '@svc/service';
import { type Attempt, type Deliveries, type Delivery, deliveryIndexes } from './delivery.ts';

const HOUR_MS = 3_600_000;
/** How long an event is tried: its attempts may be younger than it by this. */
const TRIED_FOR_MS = 3 * 24 * HOUR_MS;
/** Of the newest deliveries of an endpoint. */
const MOST_DELIVERIES = 20_000;

export const deliveriesIn = (documents: DocumentStore): Deliveries =>
  documents.collection<Delivery>('deliveries', { indexes: deliveryIndexes });

/** Deliveries that are read at once: some milliseconds. */
const AT_ONCE = 100;

/** Counts the attempts of an endpoint by the hour, from its newest deliveries by index, some in each of the account's turns. */
export const endpointHoursOf =
  (deliveries: Deliveries, most = MOST_DELIVERIES): EndpointHours =>
  async ({ account, env, endpoint_id, from, hours }) => {
    const first = millisOf(from);
    const since = Math.max(0, first - TRIED_FOR_MS);
    const count = hourCounts(first, hours);
    const $gte = prefixed('whd', firstUidAt(since));
    let [read, isAll] = [0, false];
    let before: { $lt?: string } = {};
    while (read < most && !isAll) {
      const query = { sort: { _id: -1 }, limit: Math.min(AT_ONCE, most - read) } as const;
      const some = await Array.fromAsync(deliveries.find({ endpoint_id, _id: { $gte, ...before } }, query));
      for (const delivery of some) if (delivery.account === account && delivery.env === env) count.add(delivery.attempts);
      read += some.length;
      isAll = some.length < query.limit;
      before = { $lt: some.at(-1)?._id ?? $gte };
      await nextTurn(account);
    }
    const { $lt: last = '' } = before;
    return { counted_from: iso(isAll ? since : timeOf(last.slice('whd_'.length))), data: count.hours() };
  };

/** The same for a gateway in another process. */
export const endpointHoursRoute = (deliveries: Deliveries): InternalRoute<EndpointHoursRequest> => ({
  path: ENDPOINT_HOURS,
  body: EndpointHoursRequest,
  answer: endpointHoursOf(deliveries),
});

/** Counts attempts in each hour from `first` on, in milliseconds since 1970. Linear in the attempts. */
export function hourCounts(first: number, hours: number) {
  const each = Array.from({ length: hours }, () => ({ succeeded: 0, times: [] as number[] }));
  return {
    add(attempts: readonly Pick<Attempt, 'at' | 'duration_ms' | 'status_code'>[]): void {
      for (const { at, duration_ms: ms, status_code: status } of attempts) {
        const hour = each[Math.floor((millisOf(at) - first) / HOUR_MS)];
        if (!hour) continue;
        hour.times.push(ms);
        if (status !== null && status >= 200 && status < 300) hour.succeeded += 1;
      }
    },
    hours: (): HourOfEndpoint[] =>
      each.map(({ succeeded, times }, n) => {
        times.sort((a, b) => a - b);
        return {
          ...{ at: iso(first + n * HOUR_MS), succeeded, failed: times.length - succeeded },
          ...{ p50: quantile(times, 0.5), p95: quantile(times, 0.95) },
        };
      }),
  };
}

/** Of sorted numbers; null: there are none. */
const quantile = (sorted: readonly number[], part: number): number | null =>
  sorted.length === 0 ? null : Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0);
