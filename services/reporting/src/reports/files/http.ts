import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { cutUnread, fileHeaders } from '@svc/service';
import type { FastifyReply } from 'fastify';
import { FILES, FILES_PATH, type Files } from './files.ts';

/** A client that reads nothing for so long loses its connection, and what the file holds is free. */
const UNREAD_MS = 30_000;

/** Opens signed links. Public: the gateway forwards these paths without an identity. */
@Controller()
export class ReportFilesController {
  constructor(@Inject(FILES) private readonly files: Files) {}

  @Get(`${FILES_PATH}:token`)
  async open(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const { body, ...file } = await this.files.open(token);
    cutUnread(reply.raw, body, UNREAD_MS);
    await reply.headers(fileHeaders(file)).send(body);
  }
}
