/** What an answer of the interface says of a failure. */
export interface Failure {
  /** 0: no answer came. */
  status: number;
  /** Such as `validation_error`; `unreachable` where no answer came. */
  code: string;
  message: string;
  /** Messages by field, `items.0.quantity`. */
  details?: Record<string, string[]>;
  /** `req_…`; null where no answer came. */
  requestId: string | null;
  /** After so many seconds it may be sent again, where the answer says so. */
  retryAfter?: number | undefined;
}

/** A request that was refused, failed or was not answered. */
export class ApiError extends Error implements Failure {
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, string[]>;
  readonly requestId: string | null;
  readonly retryAfter: number | undefined;

  constructor({ status, code, message, details = {}, requestId, retryAfter }: Failure) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

interface ErrorBody {
  error?: { code?: string; message?: string; details?: Record<string, string[]>; request_id?: string };
}

/** The failure that an answer carries; also of one that a proxy made, without a body of the interface. */
export async function failureOf(response: Response): Promise<ApiError> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => ({}));
  const { error = {} } = body as ErrorBody;
  return new ApiError({
    status: response.status,
    code: error.code ?? 'unexpected_answer',
    message: error.message ?? `The server answered ${response.status}.`,
    details: error.details,
    requestId: error.request_id ?? response.headers.get('x-request-id'),
    retryAfter: Number(response.headers.get('retry-after')) || undefined,
  });
}
