import { once } from 'node:events';
import { type IncomingMessage, request as ask } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { systemClock } from '@svc/kernel';
import type { FastifyRequest } from 'fastify';
import { type AnswerLimits, createApp, createLogger, fastifyOf } from '../../index.ts';

/** Longer than any test takes. */
export const NEVER = 600_000;

/** An application that listens on loopback. The header `x-account` sets the account. */
export async function openAnswers(module: Type, answers: Partial<AnswerLimits>, before?: (app: NestFastifyApplication) => void) {
  const log: string[] = [];
  const logger = createLogger({ level: 'info', service: 'test' }, { write: (line) => void log.push(line) });
  const app = await createApp(module, { logger, answers });
  const { server } = fastifyOf(app).addHook('onRequest', (request, _reply, done) => {
    request.identity = { account: String(request.headers['x-account'] ?? 'acct_a') } as FastifyRequest['identity'];
    done();
  });
  before?.(app);
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    socket.once('close', () => (connections -= 1));
  });
  await app.listen(0, '127.0.0.1');
  const { port } = server.address() as { port: number };
  const clients = new Set<Socket>();

  /** Disconnects all clients that read nothing. */
  async function leave(): Promise<void> {
    for (const socket of clients) socket.destroy();
    clients.clear();
    await until(() => connections === 0);
    log.length = 0;
  }

  return {
    log,
    /** The reasons of the cuts, in order. */
    cuts: (): string[] => log.map((line) => JSON.parse(line)).flatMap(({ msg, reason }) => (msg === 'an answer was cut' ? [reason] : [])),
    /** Open connections of clients. */
    connections: () => connections,
    open: (path: string, account = 'acct_a', method = 'GET'): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const options = { port, host: '127.0.0.1', path, method, agent: false, headers: { 'x-account': account } };
        ask(options, resolve).on('error', reject).end();
      }),
    /** A client that sends its requests on one connection and reads nothing. */
    async stalled(path: string, account = 'acct_a', method = 'GET', times = 1): Promise<Socket> {
      const socket = connect(port, '127.0.0.1');
      clients.add(socket.on('error', () => undefined));
      await once(socket, 'connect');
      socket.pause();
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nX-Account: ${account}\r\n\r\n`.repeat(times));
      return socket;
    },
    leave,
    async close(): Promise<void> {
      await leave();
      await app.close();
    },
  };
}

/** The whole text, or `cut`. */
export async function textOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of response) pieces.push(piece as Buffer);
  } catch {
    return 'cut';
  }
  return Buffer.concat(pieces).toString();
}

export async function until(holds: () => boolean): Promise<void> {
  for (let n = 0; !holds(); n += 1) {
    if (n > 6_000) throw new Error('it does not come to that');
    await systemClock.sleep(10);
  }
}

/** Waits until the number has not changed for half a second, and returns it. */
export async function atRest(count: () => number): Promise<number> {
  let last = count();
  for (let same = 0; same < 50;) {
    await systemClock.sleep(10);
    same = count() === last ? same + 1 : 0;
    last = count();
  }
  return last;
}
