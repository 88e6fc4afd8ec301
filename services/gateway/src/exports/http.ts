import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { fileHeaders } from '@svc/service';
import type { FastifyReply } from 'fastify';
import type { Gateway } from '../open-gateway.ts';
import { GATEWAY } from '../tokens.ts';
import { EXPORTS_PATH } from './open-exports.ts';

/** A client that reads nothing for so long loses its connection. */
const UNREAD_MS = 30_000;

/** Opens signed links of exports. Public, as all signed links are. */
@Controller()
export class ExportFilesController {
  constructor(@Inject(GATEWAY) private readonly gateway: Gateway) {}

  @Get(`${EXPORTS_PATH}:token`)
  async open(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const { body, size, ...file } = await this.gateway.exportLinks.open(token);
    reply.raw.setTimeout(UNREAD_MS, () => body.destroy());
    reply.raw.once('close', () => body.destroy());
    await reply.headers({ ...fileHeaders(file, 'attachment'), 'content-length': size }).send(body);
  }
}
