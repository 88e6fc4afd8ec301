import { connect, type Socket } from 'node:net';
import { setTimeout as later } from 'node:timers/promises';

export type Framing = 'Content-Length' | 'chunked';

export interface Request {
  port: number;
  /** Lines of the head after `POST /v1/customers`, without Host and the length. */
  head?: string[];
  /** Bytes of the body, which are spaces. */
  size: number;
  framing?: Framing;
}

const PIECE = Buffer.alloc(64 * 1024, ' ');

export const headOf = ({ head = [], size, framing = 'Content-Length' }: Request): string =>
  [
    ...['POST /v1/customers HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...head],
    framing === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${size}`,
    ...['', ''],
  ].join('\r\n');

/** A connection that reads nothing yet, stays open after the server has closed its half, and tells what it has received. */
export function open(port: number) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).pause();
  let got = '';
  let error: NodeJS.ErrnoException | undefined;
  socket.on('data', (chunk) => (got += chunk.toString()));
  socket.pause();
  socket.on('error', (is) => (error = is));
  const closed = new Promise<{ got: string; error: string | undefined }>((resolve) =>
    socket.on('close', () => resolve({ got, error: error?.code })),
  );
  const until = async (text: string): Promise<string> => {
    for (socket.resume(); !got.includes(text); await later(5)) if (socket.closed) throw new Error(`closed after: ${got}`);
    return got;
  };
  return { socket, closed, until, received: () => got };
}

/**
 * Sends a request slowly to its last byte, and reads only then, as many clients do. Returns what it received until the response was whole or the
 * connection ended, and the error that broke the connection.
 */
export async function sendThenRead(request: Request): Promise<{ got: string; error: string | undefined }> {
  const { socket, closed, received } = open(request.port);
  const isChunked = request.framing === 'chunked';
  await write(socket, headOf(request));
  for (let rest = request.size; rest > 0 && !socket.destroyed; rest -= PIECE.length) {
    const piece = PIECE.subarray(0, Math.min(PIECE.length, rest));
    if (isChunked) socket.write(`${piece.length.toString(16)}\r\n`);
    await write(socket, piece);
    if (isChunked) socket.write('\r\n');
    await later(2);
  }
  if (isChunked && !socket.destroyed) await write(socket, '0\r\n\r\n');
  socket.once('end', () => socket.destroy());
  socket.on('data', () => isWhole(received()) && socket.destroy());
  socket.resume();
  return closed;
}

/** Whether `got` holds a response with all bytes that its Content-Length names. */
function isWhole(got: string): boolean {
  const start = got.indexOf('\r\n\r\n') + 4;
  const length = /\r\ncontent-length: (\d+)/i.exec(got.slice(0, start))?.[1];
  return length !== undefined && Buffer.byteLength(got.slice(start)) >= Number(length);
}

/** Resolves also when the connection is broken. */
export const write = (socket: Socket, bytes: string | Buffer): Promise<void> =>
  new Promise((resolve) => {
    if (socket.destroyed) return resolve();
    socket.write(bytes, () => resolve());
  });

/** The status, the header and the parsed body of the only response in `got`. */
export function responseIn(got: string): { status: number; head: string; body: Record<string, unknown> } {
  const [head = '', ...body] = got.split('\r\n\r\n');
  return { status: Number(head.slice(9, 12)), head, body: JSON.parse(body.join('\r\n\r\n')) };
}
