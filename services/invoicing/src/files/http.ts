import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { fileHeaders } from '@svc/service';
import type { FastifyReply } from 'fastify';
import { FILES, FILES_PATH, type Files } from './files.ts';

/** Opens signed links. Public: the gateway forwards these paths without an identity. */
@Controller()
export class FilesController {
  constructor(@Inject(FILES) private readonly files: Files) {}

  @Get(`${FILES_PATH}:token`)
  async open(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const { bytes, ...file } = await this.files.open(token);
    await reply.headers(fileHeaders(file)).send(Buffer.from(bytes.buffer));
  }
}
