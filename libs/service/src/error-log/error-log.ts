import { Denied, DomainError, systemClock, type Clock } from '@svc/kernel';
import type { Logger } from '../logging/logger.ts';
import { createLineLimit, type LineRate } from '../logging/line-limit.ts';
import { suppressedCounter } from '../logging/limit-causes.ts';

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
  error?: unknown;
  /** The response, of which only the names of wrong fields are logged (`fieldsOf`). */
  payload?: unknown;
}

/** Of refused requests of an account or address: each is a cause of its own to who looks for it. */
const RATE: LineRate = { atOnce: 100, perMinute: 60 };

/** Logs one line with the request id for each 4xx at `info`, bounded per account and address, and for 5xx at `warn` or `error`, bounded as each cause is. */
export function createErrorLog(logger: Logger, clock: Pick<Clock, 'now' | 'after'> = systemClock) {
  const counter = suppressedCounter();
  const limit = createLineLimit(clock, RATE, ({ scope, count }) =>
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

/** Larger answers are not parsed for a log line. */
const LARGEST = 256 * 1024;
const MOST_FIELDS = 20;
/** A name as of a field, or a position in a list. Callers choose the names of unknown fields and of metadata, which might hold anything. */
const FIELD = /^(?:[A-Za-z_]\w{0,39}|\d{1,3})$/;

/**
 * The fields that an error response names in `details`, such as `items.0.quantity`, each once, twenty at most; never a message or value. From what is not
 * a name of letters, digits and `_` on it is shown as `*`.
 */
export function fieldsOf(payload: unknown): string[] {
  const text = typeof payload === 'string' ? payload : Buffer.isBuffer(payload) ? payload.toString('utf8') : '';
  if (text.length > LARGEST || !text.includes('"details":')) return [];
  const answer = parsed(text) as { error?: { details?: object }; details?: object };
  const names = Object.keys(answer.error?.details ?? answer.details ?? {});
  return [...new Set(names.slice(0, MOST_FIELDS).map(shown))];
}

function shown(field: string): string {
  const steps = field.split('.', 10);
  const strange = steps.findIndex((step) => !FIELD.test(step));
  return (strange < 0 ? steps : [...steps.slice(0, strange), '*']).join('.');
}

function parsed(text: string): object {
  try {
    return (JSON.parse(text) ?? {}) as object;
  } catch {
    return {};
  }
}
