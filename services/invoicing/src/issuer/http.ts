import { Controller, Inject } from '@nestjs/common';
import { type RequestOf, Serves } from '@svc/service';
import { CONTEXT } from '../context.ts';
import type { NumberingContext } from '../numbering/context.ts';
import type { Issuers } from './issuers.ts';
import { issuerResource } from './resource.ts';
import { updateIssuer } from './update.ts';

export const ISSUERS = Symbol('Issuers');

@Controller()
export class IssuerController {
  constructor(
    @Inject(CONTEXT) private readonly context: Pick<NumberingContext, 'clock' | 'store' | 'ids' | 'closedSeries'>,
    @Inject(ISSUERS) private readonly issuers: Issuers,
  ) {}

  @Serves('GET /issuer')
  async read({ identity }: RequestOf<'GET /issuer'>) {
    const { state, version } = await this.issuers.current(identity.account, identity.env);
    return issuerResource(state, version, await this.context.closedSeries.closedOf(identity));
  }

  @Serves('PATCH /issuer')
  update({ identity, ifMatch, body: patch, calculated }: RequestOf<'PATCH /issuer'>) {
    const { context, issuers } = this;
    return updateIssuer({ context, issuers, identity, calculated }, { ifMatch, patch });
  }
}
