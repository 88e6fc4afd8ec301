import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../logging/logger.ts';
import { isAboutSize } from './body-size.ts';
import { errorPayload } from './payload.ts';
import { requestIdOf } from './request-id.ts';
import { payloadTooLarge, toRefusal } from './to-refusal.ts';

/** Answers `request` with what `error` amounts to; a defect is logged with the request's id, and the answer says nothing of it. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger): void {
  const known = toRefusal(error);
  const isTooLarge = known.code === 'payload_too_large' || isAboutSize(error, request);
  const refusal = isTooLarge ? payloadTooLarge(request.routeOptions.bodyLimit) : known;
  const requestId = requestIdOf(request, reply);
  if (refusal.code === 'internal_error' || refusal.code === 'outcome_unknown') {
    logger.error({ err: error, request_id: requestId, method: request.method, route: request.routeOptions?.url }, 'request failed');
  }
  if (reply.sent) return;
  const { status, contentType, body, retryAfter } = errorPayload(refusal, requestId, request.headers.accept);
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  reply.status(status).header('content-type', contentType).send(body);
}
