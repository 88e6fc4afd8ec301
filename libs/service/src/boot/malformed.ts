import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '@svc/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorPayload } from '../errors/payload.ts';
import { newRequestId, requestIdOf } from '../errors/request-id.ts';
import type { ErrorLog, ErrorResponse } from '../error-log/error-log.ts';

/** Answers requests that Fastify and Node reject before any hook runs. The edge replaces these handlers to add its headers. */
export interface MalformedHandlers {
  /** A URL that cannot be decoded (`/%zz`). No hook has run. */
  url(request: FastifyRequest, reply: FastifyReply): void;
  /** Bytes that are not an HTTP request, or headers that are too large. The handler must end the socket (`answerSocket`). */
  http(error: Error & { code?: string }, socket: Socket): void;
  /** A parsed request that is not well-formed: no `Host` or several, or an unknown expectation. */
  request(request: IncomingMessage, response: ServerResponse): void;
}

declare module 'fastify' {
  interface FastifyInstance {
    malformed: MalformedHandlers;
  }
}

export const malformedRequest = (): DomainError =>
  new DomainError('invalid_request', 'This is not a well-formed HTTP request. Check the URL, the headers and their size.');

/** Writes a whole response to a socket on which Node's parser has failed, and closes it. */
export function answerSocket(socket: Socket, error: DomainError, requestId: string, headers: Record<string, string> = {}): void {
  const { status, contentType, body } = errorPayload(error, requestId);
  const all = {
    'x-request-id': requestId,
    ...headers,
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

/** Answers a request that reaches no hook. Its body is not read, so the connection is closed. */
export function answerResponse(
  response: ServerResponse,
  error: DomainError,
  requestId: string,
  headers: Record<string, string> = {},
): void {
  const { status, contentType, body } = errorPayload(error, requestId);
  response.writeHead(status, {
    'x-request-id': requestId,
    ...headers,
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  response.end(body);
}

/** The handlers of an app without the edge. @param log returns the error log, which exists only after the app is made */
export const answerMalformed = (log: () => ErrorLog): MalformedHandlers => ({
  url(request, reply) {
    const { server, headers } = request;
    const { status, contentType, body } = errorPayload(malformedRequest(), requestIdOf(request, reply), headers.accept, server.publicUrl);
    reply.status(status).header('content-type', contentType).send(body);
  },
  http(_error, socket) {
    const requestId = newRequestId();
    log().log(malformedLine(requestId, `ip ${socket.remoteAddress}`));
    answerSocket(socket, malformedRequest(), requestId);
  },
  request({ method, socket }, response) {
    const requestId = newRequestId();
    log().log(malformedLine(requestId, `ip ${socket.remoteAddress}`, method));
    answerResponse(response, malformedRequest(), requestId);
  },
});

/** The log entry for a request that reached no hook. @param scope that of the caller's address */
export const malformedLine = (requestId: string, scope: string, method = 'unknown'): ErrorResponse => ({
  ...{ requestId, scope, method },
  ...{ status: 400, code: 'invalid_request', route: 'unknown' },
});

/** Whether a response can be written: the connection is neither reset nor in the middle of another response. */
export const canAnswer = (error: { code?: string }, socket: Socket): boolean =>
  error.code !== 'ECONNRESET' && socket.writable && !(socket as { _httpMessage?: unknown })._httpMessage;
