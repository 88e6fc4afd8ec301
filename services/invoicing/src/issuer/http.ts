import { Controller, Inject, Req } from '@nestjs/common';
import type { UpdateIssuer } from '@svc/contracts/issuer/requests';
import { Serves } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { CONTEXT, type InvoicingContext } from '../context.ts';
import type { Issuers } from './issuers.ts';
import { issuerResource } from './resource.ts';
import { updateIssuer } from './update.ts';

/** Nest's injection token of `Issuers`. */
export const ISSUERS = Symbol('Issuers');

@Controller()
export class IssuerController {
  constructor(
    @Inject(CONTEXT) private readonly context: InvoicingContext,
    @Inject(ISSUERS) private readonly issuers: Issuers,
  ) {}

  @Serves('GET /issuer')
  async read(@Req() { identity }: FastifyRequest) {
    const { state, version } = await this.issuers.current(identity.account, identity.env);
    return issuerResource(state, version);
  }

  @Serves('PATCH /issuer')
  update(@Req() { identity, ifMatch, body }: FastifyRequest) {
    const { context, issuers } = this;
    return updateIssuer({ context, issuers, identity }, { ifMatch, patch: body as UpdateIssuer });
  }
}
