import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Clock } from '@svc/kernel';
import type { FastifyInstance } from 'fastify';
import { addBodyHooks } from './body-hooks.ts';

declare module 'fastify' {
  interface FastifyInstance {
    lingering: LingeringClose;
  }
}

export interface LingeringLimits {
  /** Connections that are read on at once, in one process. Beyond it a connection is closed with its response. */
  connections: number;
  /** A client that sends nothing for this time after its response is cut, in milliseconds; after half of it this end is closed for writing. */
  silentMs: number;
  /** Maximum time for reading on, in milliseconds. */
  longestMs: number;
  /** Maximum bytes that are read on. */
  bytes: number;
}

const KIB = 1024;

export const usualLingeringLimits: LingeringLimits = { connections: 64, silentMs: 1_000, longestMs: 15_000, bytes: 32 * KIB * KIB };

/** After an early response a body of at most this size is read to its end, and the connection is kept. */
const SMALL = 64 * KIB;

/**
 * A client that is still sending when its connection is closed loses the response: the kernel answers its bytes with a reset. Therefore a
 * response to a request whose rest is large has `Connection: close`, and the rest is read and discarded, within `limits`. This end is closed for
 * writing when the client pauses: some clients stop sending when they see that. Bytes that follow are no request any more. Nothing is kept in memory.
 */
export function createLingeringClose(limits: LingeringLimits, clock: Clock) {
  const open = new Set<Socket>();
  const answered = new WeakSet<Socket>();
  let isEnded = false;

  const isFull = (): boolean => isEnded || open.size >= limits.connections;

  /** Returns a function that begins to wait for the client: to be called when its response is written. */
  const readOn = (socket: Socket): (() => void) => {
    open.add(socket);
    let bytes = 0;
    let timers: (() => void)[] = [];
    const stop = (): void => timers.forEach((cancel) => cancel());
    const cut = (): void => void socket.destroy();
    const listen = (): void => {
      stop();
      timers = [clock.after(limits.silentMs / 2, () => socket.end()), clock.after(limits.silentMs, cut)];
    };
    const take = (): void => {
      socket.removeAllListeners('data'); // the parser's: it would take what follows the body for the next request
      socket.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > limits.bytes) cut();
        else if (timers.length > 0) listen();
      });
    };
    socket.once('end', () => timers.length > 0 && socket.end());
    // Node's parser reads in the socket's place, and has stopped where the body was not taken. Only its own listener of `resume` starts it again.
    if (socket.isPaused()) socket.once('resume', take).resume();
    else take();
    const stopAll = clock.after(limits.longestMs, cut);
    socket.once('close', () => {
      open.delete(socket);
      stopAll();
      stop();
    });
    return listen;
  };

  /** Called before the head of `response` is written. */
  const prepare = (response: ServerResponse): void => {
    const { req: request } = response;
    if (request.complete || !hasBody(request)) return;
    if (!isSmall(request)) response.shouldKeepAlive = false;
    const { socket } = request;
    answered.add(socket);
    // Node calls this after the last response of a connection, which may also be one to a small request.
    socket.destroySoon = () => {
      if (request.complete || isFull()) Socket.prototype.destroySoon.call(socket);
      else readOn(socket)();
    };
    request.once('end', () => {
      answered.delete(socket);
      socket.destroySoon = Socket.prototype.destroySoon;
    });
  };

  class LingeringResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(
      status: number,
      reason?: string | OutgoingHttpHeaders | OutgoingHttpHeader[],
      headers?: OutgoingHttpHeaders | OutgoingHttpHeader[],
    ): this {
      prepare(this);
      return super.writeHead(status, reason as string, headers);
    }
  }

  return {
    /** The class of the server's responses: `createServer({ ServerResponse })`. */
    ServerResponse: LingeringResponse,
    /** Discards what a connection receives whose parser has failed, and closes it when its response is written and its client is silent. */
    discard(socket: Socket): void {
      if (!isFull()) return whenWritten(socket, readOn(socket));
      socket.pause();
      whenWritten(socket, () => void socket.destroy());
    },
    /** Whether it is discarding what this connection receives. */
    has: (socket: Socket): boolean => open.has(socket),
    /** Whether the last request of this connection has its response, and its rest is still received. No other response may follow. */
    isAnswered: (socket: Socket): boolean => answered.has(socket),
    /** Cuts the connections that are read on. Later ones are closed with their response, so that nothing waits for them. */
    end(): void {
      isEnded = true;
      for (const socket of open) socket.destroy();
    },
  };
}

export type LingeringClose = ReturnType<typeof createLingeringClose>;

/** Ends lingering with the app, and looks once whether a body of unknown length has arrived with its head: then the connection is kept. */
export function useLingeringClose(fastify: FastifyInstance, lingering: LingeringClose): void {
  fastify.addHook('preClose', (done) => {
    lingering.end();
    done();
  });
  addBodyHooks(fastify, {
    onSend({ raw }, _reply, payload, done) {
      if (raw.complete || raw.headers['transfer-encoding'] === undefined) return done(null, payload);
      setImmediate(() => done(null, payload));
    },
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const isSmall = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= SMALL;

function whenWritten(socket: Socket, then: () => void): void {
  if (socket.writableFinished) then();
  else socket.once('finish', then);
}
