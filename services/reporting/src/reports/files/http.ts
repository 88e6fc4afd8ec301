import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { FILES, type Files } from './files.ts';
import { FILES_PATH } from './links.ts';

/** What a link opens without a key: no cache on the way keeps it, no other site learns of it, and nothing of it runs in this origin. */
const headers = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'content-security-policy': 'sandbox',
};
/** A client that reads nothing for so long loses its connection, and what the file holds is free. */
const UNREAD_MS = 30_000;

/** Opens signed links. Public: the gateway forwards these paths without an identity. */
@Controller()
export class ReportFilesController {
  constructor(@Inject(FILES) private readonly files: Files) {}

  @Get(`${FILES_PATH}:token`)
  async open(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const { name, type, body } = await this.files.open(token);
    reply.raw.setTimeout(UNREAD_MS, () => body.destroy());
    reply.raw.once('close', () => body.destroy());
    await reply.headers({ ...headers, 'content-type': type, 'content-disposition': `attachment; filename="${name}"` }).send(body);
  }
}
