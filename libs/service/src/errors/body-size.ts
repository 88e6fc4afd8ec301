import { HttpException } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** True if the body is too large. The size is checked before the type, but Fastify rejects an invalid Content-Type first. */
export const isAboutSize = (error: unknown, request: FastifyRequest): boolean =>
  error instanceof HttpException && error.getStatus() === 415 && Number(request.headers['content-length']) > request.routeOptions.bodyLimit;
