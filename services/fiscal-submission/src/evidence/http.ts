import { Controller, Get, Inject, Param, Res, type Type } from '@nestjs/common';
import type { DocumentFileResource } from '@svc/contracts/document/file';
import type { DocumentKind } from '@svc/contracts/documents';
import { cutUnread, fileHeaders, type RequestOf, Serves } from '@svc/service';
import type { FastifyReply } from 'fastify';
import { EVIDENCE, FILES_PATH, type Evidence } from './evidence.ts';

/** A client that reads nothing for so long loses its connection, and what the file holds is free. */
const UNREAD_MS = 30_000;

/** Links to the evidence of documents of one kind. */
export function evidenceController(kind: DocumentKind): Type {
  @Controller()
  class EvidenceController {
    constructor(@Inject(EVIDENCE) readonly evidence: Evidence) {}

    @Serves(`GET /${kind}s/{id}/evidence`)
    link({ identity, params }: RequestOf<'GET /invoices/{id}/evidence'>): Promise<DocumentFileResource> {
      return this.evidence.linkTo(identity, kind, params.id);
    }
  }
  return EvidenceController;
}

/** Opens signed links. Public: the gateway forwards these paths without an identity. */
@Controller()
export class EvidenceFilesController {
  constructor(@Inject(EVIDENCE) private readonly evidence: Evidence) {}

  @Get(`${FILES_PATH}:token`)
  async open(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const { body, ...file } = await this.evidence.open(token);
    cutUnread(reply.raw, body, UNREAD_MS);
    await reply.headers(fileHeaders(file)).send(body);
  }
}
