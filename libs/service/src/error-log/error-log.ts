import { Denied, DomainError, systemClock, type Clock } from '@svc/kernel';
import { Counter, register } from '../telemetry/metrics.ts';
import type { Logger } from '../logging/logger.ts';
import { fieldsOf } from './fields-of.ts';
import { createLineLimit } from './line-limit.ts';

/** A response of 4xx or 5xx. What is logged of it contains no key, query, value of a body, or address. */
export interface ErrorResponse {
  requestId: string;
  status: number;
  /** undefined if the response of an upstream is streamed. */
  code: string | undefined;
  method: string;
  /** The pattern of the route, such as `GET /invoices/{id}`. */
  route: string;
  account?: string | undefined;
  env?: string | undefined;
  /** The caller's own X-Request-Id. */
  clientRequestId?: unknown;
  traceparent?: string | undefined;
  /** Lines are bounded per scope. Not logged if it contains an address. */
  scope: string;
  /** The error that was thrown. */
  error?: unknown;
  /** The response, of which only the names of wrong fields are logged (`fieldsOf`). */
  payload?: unknown;
}

const NAME = 'svc_log_suppressed_total';
const suppressedCounter = (): Counter =>
  (register.getSingleMetric(NAME) as Counter | undefined) ??
  new Counter({ name: NAME, help: 'Lines about refused requests that were counted instead of written.' });

/** Logs one line with the request id for each 4xx at `info`, bounded per account and address, and for every 5xx at `warn` or `error`. */
export function createErrorLog(logger: Logger, clock: Pick<Clock, 'now' | 'after'> = systemClock) {
  const counter = suppressedCounter();
  const limit = createLineLimit(clock, ({ scope, count }) =>
    logger.info(scope?.startsWith('acct_') ? { account: scope, count } : { count }, `${count} more refused requests suppressed`),
  );
  return {
    log(response: ErrorResponse): void {
      if (response.status >= 500) return logFailure(logger, response);
      if (!logger.isLevelEnabled('info')) return;
      if (limit.allows(response.scope)) logger.info(lineOf(response), 'request refused');
      else counter.inc();
    },
    /** Reports the lines that were not written. */
    close: (): void => limit.close(),
  };
}

export type ErrorLog = ReturnType<typeof createErrorLog>;

/** Logs a defect or an unknown outcome at `error`, a temporary failure at `warn`. */
function logFailure(logger: Logger, response: ErrorResponse): void {
  const { code, error } = response;
  const isReported = error instanceof DomainError || error instanceof Denied; // the code says it, or another line
  const line = { ...lineOf(response), ...(error !== undefined && !isReported && { err: error }) };
  if (code === 'internal_error' || code === 'outcome_unknown') logger.error(line, 'request failed');
  else logger.warn(line, 'request failed');
}

/** Their `details` name fields of the request. */
const NAMING = [400, 422];

const namedFields = ({ status, payload }: ErrorResponse): object => {
  const fields = NAMING.includes(status) ? fieldsOf(payload) : [];
  return fields.length > 0 ? { fields } : {};
};

const lineOf = (response: ErrorResponse): object => {
  const { requestId, status, code, method, route, account, env, clientRequestId, traceparent } = response;
  return {
    request_id: requestId,
    ...(typeof clientRequestId === 'string' && { client_request_id: clientRequestId.slice(0, 255) }),
    ...{ account, env, route, method, status, code },
    ...namedFields(response),
    ...(traceparent !== undefined && { trace_id: traceparent.slice(3, 35), span_id: traceparent.slice(36, 52) }),
  };
};
