import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { FILES, type Files } from './files.ts';
import { FILES_PATH } from './links.ts';

/** Of a document with personal data, which a link opens without a key: not stored on the way, and not sent to another site. */
const headers = { 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' };

/** What a browser may do with a file, which is shown in this origin: run nothing of it, load nothing for it, and show a PDF only in pages of this origin. */
const policyOf = (type: string): string => (type === 'application/pdf' ? "default-src 'none'; frame-ancestors 'self'" : 'sandbox');

/** Opens signed links. Public: the gateway forwards these paths without an identity. */
@Controller()
export class FilesController {
  constructor(@Inject(FILES) private readonly files: Files) {}

  @Get(`${FILES_PATH}:token`)
  async open(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const { name, type, bytes } = await this.files.open(token);
    await reply
      .headers({
        ...headers,
        'content-security-policy': policyOf(type),
        'content-type': type,
        'content-disposition': `inline; filename="${name}"`,
      })
      .send(Buffer.from(bytes.buffer));
  }
}
