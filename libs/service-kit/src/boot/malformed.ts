import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Refusal } from '@svc/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorPayload } from '../errors/payload.ts';
import { newRequestId, requestIdOf } from '../errors/request-id.ts';

/** Who answers what Fastify and Node refuse before any hook runs. The edge replaces both, to add its headers. */
export interface MalformedHandlers {
  /** A URL that cannot be decoded (`/%zz`). No hook ran for it. */
  url(request: FastifyRequest, reply: FastifyReply): void;
  /** Bytes that are no HTTP request, or headers that are too large. Whoever answers ends the socket (`answerSocket`). */
  http(error: Error & { code?: string }, socket: Socket): void;
}

declare module 'fastify' {
  interface FastifyInstance {
    malformed: MalformedHandlers;
  }
}

export const malformedRequest = (): Refusal =>
  new Refusal('invalid_request', 'This is not a well-formed HTTP request. Check the URL, the headers and their size.');

/** Writes a whole answer to a socket that Node has given up on, and closes it. */
export function answerSocket(socket: Socket, refusal: Refusal, requestId: string, headers: Record<string, string> = {}): void {
  const { status, contentType, body } = errorPayload(refusal, requestId);
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

export const answerMalformed: MalformedHandlers = {
  url(request, reply) {
    const { status, contentType, body } = errorPayload(malformedRequest(), requestIdOf(request, reply), request.headers.accept);
    reply.status(status).header('content-type', contentType).send(body);
  },
  http(_error, socket) {
    answerSocket(socket, malformedRequest(), newRequestId());
  },
};

/** True while an answer can still be written: a connection that was reset, or is in the middle of an answer, cannot take one. */
export const canAnswer = (error: { code?: string }, socket: Socket): boolean =>
  error.code !== 'ECONNRESET' && socket.writable && !(socket as { _httpMessage?: unknown })._httpMessage;
