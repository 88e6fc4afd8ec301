import { createServer as createHttp, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createHttps, type ServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '@svc/kernel';
import type { WireExchange } from './exchange.ts';
import type { Reply, Wire, WireRequest } from './wire.ts';

export interface ConnectionsOptions {
  wire: Wire;
  exchange: WireExchange;
  tls: Pick<ServerOptions, 'key' | 'cert'>;
  clock: Clock;
  logger: { warn(fields: object, message: string): void };
}

export interface Connections {
  /** Serves a connection that is paused, by TLS or by plain HTTP: its first byte decides. */
  take(socket: Socket): void;
  /** Ends all of them. */
  close(): void;
}

const TLS_HANDSHAKE = 0x16;
const KEEP_ALIVE_MS = 65_000;
const IDLE_MS = 120_000;

/** Serves a wire on connections. */
export function serveConnections({ wire, exchange, tls, clock, logger }: ConnectionsOptions): Connections {
  const stopping = new AbortController();
  const sockets = new Set<Socket>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await read(request, wire.maxBody);
    const { reply, unsent } = await exchange.ask(wire, call);
    if (reply.delayMs) await clock.sleep(reply.delayMs, stopping.signal);
    if (reply.status === null) response.destroy();
    else if (!(await send(reply, response))) await unsent();
  }

  const onRequest: RequestListener = (request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (!stopping.signal.aborted && !response.destroyed) logger.warn({ err: error }, 'the simulator could not answer');
      response.destroy();
    });
  };
  const plain = createHttp({ keepAliveTimeout: KEEP_ALIVE_MS }, onRequest);
  // Certificates of clients are judged by the wire, so that the refusal is the authority's.
  const secure = createHttps({ ...tls, keepAliveTimeout: KEEP_ALIVE_MS, requestCert: true, rejectUnauthorized: false }, onRequest);
  secure.on('tlsClientError', (_error, socket) => socket.destroy());

  return {
    take(socket) {
      sockets.add(socket);
      socket.setTimeout(IDLE_MS, () => socket.destroy());
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
      socket.once('data', (bytes) => {
        socket.pause();
        socket.unshift(bytes);
        (bytes[0] === TLS_HANDSHAKE ? secure : plain).emit('connection', socket);
        process.nextTick(() => socket.resume());
      });
      socket.resume();
    },
    close() {
      stopping.abort();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Reads a request whole, and of one that is too large some more, so that the client reads the answer. */
async function read(request: IncomingMessage, maxBody: number): Promise<WireRequest> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= maxBody) chunks.push(chunk);
    else if (length > 4 * maxBody) break;
  }
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers,
    body: length > maxBody ? Buffer.alloc(0) : Buffer.concat(chunks),
    isTooLarge: length > maxBody,
    clientCertificate: certificateOf(request.socket),
  };
}

function certificateOf(socket: Socket): Buffer | null | undefined {
  if (!('getPeerX509Certificate' in socket)) return undefined;
  return (socket as TLSSocket).getPeerX509Certificate()?.raw ?? null;
}

/** Resolves with whether the answer left. */
function send({ status, headers, body }: Reply, response: ServerResponse): Promise<boolean> {
  if (response.destroyed || response.socket?.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    response.once('close', () => resolve(response.writableFinished));
    response.writeHead(status ?? 500, { ...headers, 'content-length': String(body.length) }).end(body);
  });
}
