import type { DynamicModule, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Clock, systemClock, textOf } from '@svc/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AnswerLimits, usualAnswerLimits } from '../answers/answer-limits.ts';
import { useLargeAnswers } from '../answers/use-large-answers.ts';
import { type BodyLimits, createHeavyBodies, usualBodyLimits } from '../bodies/heavy-bodies.ts';
import { ErrorFilter } from '../errors/error-filter.ts';
import type { Logger } from '../logging/logger.ts';
import { logWithoutHooks, useErrorLog } from '../error-log/use-error-log.ts';
import { useServedRoutes } from '../routing/serves.ts';
import { useServerSpans } from '../telemetry/spans.ts';
import { fastifyOf } from '../routing/fastify-of.ts';
import { createLingeringClose, type LingeringLimits, useLingeringClose, usualLingeringLimits } from './lingering-close.ts';
import { answerMalformed, canAnswer, type MalformedHandlers } from './malformed.ts';
import { useRequestFields, useWellFormedRequests } from './request.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';

declare module 'fastify' {
  interface FastifyInstance {
    /** Public origin, without a trailing slash; empty where none is given. */
    publicUrl: string;
    clock: Clock;
  }
}

export interface AppOptions {
  logger: Logger;
  /** Default: the machine's. */
  clock?: Clock;
  /** Public origin, to which errors lead (`type` of RFC 9457). */
  publicUrl?: string;
  /** The URL to route a request by, from the one that was sent; `request.originalUrl` keeps that. */
  rewriteUrl?: ((request: Pick<IncomingMessage, 'url'>) => string) | undefined;
  /** Limits of large responses that differ from the defaults. */
  answers?: Partial<AnswerLimits>;
  /** Limits of bodies that wait that differ from the defaults. */
  bodies?: Partial<BodyLimits>;
  /** Limits of reading on after an early response that differ from the defaults. */
  lingering?: Partial<LingeringLimits>;
}

const MIB = 1024 * 1024;
/** Node's own limit on a request's head: no URL is longer. */
const LONGEST_HEAD = 16 * 1024;

/**
 * Makes the Nest application of `module` on Fastify, the same for every process: one JSON parser, one exception filter, bodies validated by the
 * table of routes, ETags. It is not initialized: add hooks (`fastifyOf(app)`), then call `listen`.
 */
export async function createApp(
  module: Type | DynamicModule,
  { logger, clock = systemClock, publicUrl = '', rewriteUrl, answers, bodies, lingering: limits }: AppOptions,
): Promise<NestFastifyApplication> {
  const malformed: MalformedHandlers = answerMalformed(() => fastify.errorLog);
  const lingering = createLingeringClose({ ...usualLingeringLimits, ...limits }, clock);
  const adapter = new FastifyAdapter({
    logger: false,
    bodyLimit: MIB,
    ...(rewriteUrl && { rewriteUrl }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: LONGEST_HEAD },
    requestTimeout: 30_000,
    // Longer than the 60 s after which load balancers close an idle connection, so that this end never closes first.
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    skipMiddie: true,
    // `useWellFormedRequests` rejects a missing Host, with a body.
    http: { maxHeaderSize: LONGEST_HEAD, requireHostHeader: false, ServerResponse: lingering.ServerResponse },
    frameworkErrors(_error: Error, request: FastifyRequest, reply: FastifyReply) {
      logWithoutHooks(fastify, request, reply);
      malformed.url(request, reply);
    },
    clientErrorHandler(error, socket) {
      if (lingering.has(socket)) return;
      if (lingering.isAnswered(socket) || !canAnswer(error, socket)) return void socket.destroy();
      lingering.discard(socket);
      malformed.http(error, socket);
    },
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: nestLogger(logger),
  });
  const fastify = fastifyOf(app);
  fastify.decorate('publicUrl', publicUrl);
  fastify.decorate('clock', clock);
  fastify.decorate('malformed', malformed);
  fastify.decorate('lingering', lingering);
  fastify.setReplySerializer(textOf);
  useWellFormedRequests(fastify);
  useErrorLog(fastify, logger);
  useRequestFields(fastify, createHeavyBodies({ ...usualBodyLimits, ...bodies }, clock));
  useExpectContinue(fastify);
  useEntityTags(fastify);
  useServerSpans(fastify);
  useServedRoutes(fastify);
  useLargeAnswers(fastify, { limits: { ...usualAnswerLimits, ...answers }, clock, logger });
  useLingeringClose(fastify, lingering);
  app.useGlobalFilters(new ErrorFilter(logger));
  return app;
}

/** Adds `ETag: "<version>"` to every response that is one resource. */
function useEntityTags(fastify: FastifyInstance): void {
  fastify.addHook('preSerialization', (_request, reply, payload, done) => {
    const { version } = (payload ?? {}) as { version?: unknown };
    if (Number.isInteger(version)) reply.header('etag', `"${version}"`);
    done(null, payload);
  });
}

/** Writes Nest's warnings and errors to the service's log, without its lines about every route and module at start. */
const nestLogger = (logger: Logger): LoggerService => ({
  log: () => undefined,
  warn: (message: unknown) => logger.warn({ source: 'nest' }, String(message)),
  error: (message: unknown) => logger.error({ source: 'nest', err: message }, 'nest error'),
  fatal: (message: unknown) => logger.fatal({ source: 'nest', err: message }, 'nest error'),
});

/**
 * Sends `100 Continue` when a body begins to be read, not before: a request that is rejected by its head is answered without its body having been sent
 * (RFC 9110, 10.1.1).
 */
function useExpectContinue({ server }: FastifyInstance): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue();
    });
    server.emit('request', request, response);
  });
}
