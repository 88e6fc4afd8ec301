import type { Logger } from '@svc/service';
import type { Delivery } from './delivery.ts';

/** Logs one line about a delivery that ended as failed, for subscribers who ask why an event did not arrive. */
export function logEnded(logger: Logger, { _id, account, env, endpoint_id, event_id, attempts }: Delivery, traceparent?: string): void {
  const about = { account, env, endpoint: endpoint_id, event: event_id, delivery: _id, attempts: attempts.length };
  // null: the last attempt got no response.
  const how = { last_status: attempts.at(-1)?.status_code ?? null };
  logger.warn(
    { ...about, ...how, ...(traceparent !== undefined && { trace_id: traceparent.slice(3, 35) }) },
    'webhook delivery ended failed',
  );
}
