import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { Clock } from '@svc/kernel';
import { fileHeaders } from '@svc/service';
import type { FastifyReply } from 'fastify';
import type { Readable } from 'node:stream';
import type { Gateway } from '../open-gateway.ts';
import { GATEWAY } from '../tokens.ts';
import { EXPORTS_PATH } from './open-exports.ts';

/** A client that reads nothing for so long loses its connection. */
const UNREAD_MS = 30_000;
/** And one that reads fewer bytes in so long: few files are sent at a time, and slow readers would hold all of them for days. */
const [PACE_MS, LEAST_READ] = [30_000, 512 * 1024];

/** Opens signed links of exports. Public, as all signed links are. */
@Controller()
export class ExportFilesController {
  constructor(@Inject(GATEWAY) private readonly gateway: Gateway) {}

  @Get(`${EXPORTS_PATH}:token`)
  async open(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const { body, size, ...file } = await this.gateway.exportLinks.open(token);
    reply.raw.setTimeout(UNREAD_MS, () => body.destroy());
    const stop = endsSlow(body, reply.request.raw.socket, this.gateway.clock);
    reply.raw.once('close', () => {
      stop();
      body.destroy();
    });
    await reply.headers({ ...fileHeaders(file), 'content-length': size }).send(body);
  }
}

/** Destroys what is sent over a socket too slowly; returns what ends that. */
function endsSlow(body: Readable, socket: { bytesWritten: number }, clock: Pick<Clock, 'after'>): () => void {
  let sent = socket.bytesWritten;
  let stop = (): void => undefined;
  const look = (): void => {
    stop = clock.after(PACE_MS, () => {
      const now = socket.bytesWritten;
      if (now - sent < LEAST_READ) return void body.destroy();
      sent = now;
      look();
    });
  };
  look();
  return () => stop();
}
