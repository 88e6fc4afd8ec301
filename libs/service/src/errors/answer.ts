import { Denied } from '@svc/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../logging/logger.ts';
import { errorPayload } from './payload.ts';
import { requestIdOf } from './request-id.ts';
import { logDenied } from './log-denied.ts';
import { payloadTooLarge, toDomainError } from './to-domain-error.ts';
import { HttpException } from '@nestjs/common';

/** Answers `request` with the domain error of `error`. The response never shows the cause of a defect; the error log does (`useErrorLog`). */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger): void {
  const known = toDomainError(error);
  const isTooLarge = known.code === 'payload_too_large' || isAboutSize(error, request);
  const domainError = isTooLarge ? payloadTooLarge(request.routeOptions.bodyLimit) : known;
  const requestId = requestIdOf(request, reply);
  if (error instanceof Denied) logDenied(error, logger);
  if (reply.sent)
    return logger.error({ err: error, request_id: requestId, method: request.method }, 'request failed after its answer began');
  request.failure = error;
  const { status, contentType, body, retryAfter } = errorPayload(domainError, requestId, request.headers.accept, request.server.publicUrl);
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  reply.status(status).header('content-type', contentType).send(body);
}

/** True if the body is too large. The size is checked before the type, but Fastify rejects an invalid Content-Type first. */
const isAboutSize = (error: unknown, request: FastifyRequest): boolean =>
  error instanceof HttpException && error.getStatus() === 415 && Number(request.headers['content-length']) > request.routeOptions.bodyLimit;
