import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '@svc/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorPayload } from '../errors/payload.ts';
import { newRequestId, requestIdOf } from '../errors/request-id.ts';
import type { ErrorLog, ErrorResponse } from '../error-log/error-log.ts';

/** Who answers what Fastify and Node refuse before any hook runs. The edge replaces both, to add its headers. */
export interface MalformedHandlers {
  /** A URL that cannot be decoded (`/%zz`). No hook ran for it. */
  url(request: FastifyRequest, reply: FastifyReply): void;
  /** Bytes that are no HTTP request, or headers that are too large. Whoever answers ends the socket (`answerSocket`). */
  http(error: Error & { code?: string }, socket: Socket): void;
  /** A request that was parsed and is not well-formed: no `Host` or two, an expectation that is unknown. */
  request(request: IncomingMessage, response: ServerResponse): void;
}

declare module 'fastify' {
  interface FastifyInstance {
    malformed: MalformedHandlers;
  }
}

export const malformedRequest = (): DomainError =>
  new DomainError('invalid_request', 'This is not a well-formed HTTP request. Check the URL, the headers and their size.');

/** Writes a whole answer to a socket that Node has given up on, and closes it. */
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

/** Answers a request that reaches no hook. Its body is not read, so the connection ends. */
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

/** Where no edge stands. @param log is told once the app is made */
export const answerMalformed = (log: () => ErrorLog): MalformedHandlers => ({
  url(request, reply) {
    const { status, contentType, body } = errorPayload(malformedRequest(), requestIdOf(request, reply), request.headers.accept);
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

/** What is logged of a request that no hook saw. @param scope of the caller's address */
export const malformedLine = (requestId: string, scope: string, method = 'unknown'): ErrorResponse => ({
  ...{ requestId, scope, method },
  ...{ status: 400, code: 'invalid_request', route: 'unknown' },
});

/** True while an answer can still be written: a connection that was reset, or is in the middle of an answer, cannot take one. */
export const canAnswer = (error: { code?: string }, socket: Socket): boolean =>
  error.code !== 'ECONNRESET' && socket.writable && !(socket as { _httpMessage?: unknown })._httpMessage;
