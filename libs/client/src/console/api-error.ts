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
}

/** A request that was refused, failed or was not answered. */
export class ApiError extends Error implements Failure {
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, string[]>;
  readonly requestId: string | null;

  constructor({ status, code, message, details = {}, requestId }: Failure) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
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
  });
}
