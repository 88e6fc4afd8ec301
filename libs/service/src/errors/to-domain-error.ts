import { HttpException } from '@nestjs/common';
import { BODY_LIMIT } from '@svc/contracts/http/route';
import { Conflict, OutcomeUnknown, DomainError } from '@svc/kernel';

/** The domain error for any error. An unknown error is a defect: `internal_error`, which does not show its cause. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (error instanceof Conflict) return new DomainError('service_unavailable', 'Others are changing this resource. Repeat the request.');
  if (error instanceof OutcomeUnknown) {
    return new DomainError('outcome_unknown', 'It is not known whether this was done. Repeat the request with the same Idempotency-Key.');
  }
  return (
    ofHttpStatus(httpStatusOf(error), retryAfterOf(error)) ??
    new DomainError('internal_error', 'Something went wrong here. Repeat the request; if it stays, tell support the request id.')
  );
}

/** The HTTP status of an error. Nest wraps Fastify's errors (`FST_ERR_CTP_…`) in its own; errors of Node's HTTP streams have `statusCode`. */
function httpStatusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' ? status : undefined;
}

/** In seconds, of an error that says when to try again. */
const retryAfterOf = (error: unknown): number =>
  error instanceof Error && 'retryAfter' in error && typeof error.retryAfter === 'number' ? error.retryAfter : 1;

function ofHttpStatus(status: number | undefined, retryAfter: number): DomainError | undefined {
  switch (status) {
    case 400:
      return new DomainError('invalid_request', 'The request cannot be read. Check its URL, headers and body.');
    case 404:
      return new DomainError('not_found', 'There is nothing at this path. Check the path and the method.');
    case 405:
      return new DomainError('method_not_allowed', 'This path does not take this method. See Allow.');
    case 413:
      return payloadTooLarge();
    case 415:
      return unsupportedMediaType();
    case 503:
      return new DomainError(
        'service_unavailable',
        'What this needs does not answer at the moment. Nothing was done; try again.',
        undefined,
        retryAfter,
      );
    default:
      return undefined;
  }
}

/** @param limit in bytes: that of the route if it is known */
export const payloadTooLarge = (limit = BODY_LIMIT): DomainError =>
  new DomainError('payload_too_large', `The body is too large: at most ${limit / 1024} KiB. Split it.`);

/** For a Content-Encoding (RFC 9110, 15.5.16): the answer has `Accept-Encoding: identity`. */
export const encodedBody = (): DomainError =>
  new DomainError('unsupported_media_type', 'The body must be sent as it is: leave Content-Encoding out, and do not compress it.');

export const unsupportedMediaType = (): DomainError =>
  new DomainError('unsupported_media_type', 'The body must be JSON. Send it with Content-Type: application/json.');
