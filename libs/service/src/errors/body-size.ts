import { HttpException } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/**
 * Size is judged before type (api, order of checks), but Fastify refuses a Content-Type that is none at all before it looks at
 * the size.
 */
export const isAboutSize = (error: unknown, request: FastifyRequest): boolean =>
  error instanceof HttpException && error.getStatus() === 415 && Number(request.headers['content-length']) > request.routeOptions.bodyLimit;
