import { Controller, Inject } from '@nestjs/common';
import { type RequestOf, Serves } from '@svc/service';
import { CONTEXT } from '../context.ts';
import type { Issuers } from './issuers.ts';
import { issuerResource } from './resource.ts';
import { updateIssuer, type IssuerWriting } from './update.ts';

export const ISSUERS = Symbol('Issuers');
/** Whether documents wait for their authority. */
export const IS_WAITING = Symbol('isWaiting');

@Controller()
export class IssuerController {
  constructor(
    @Inject(CONTEXT) private readonly context: IssuerWriting['context'],
    @Inject(ISSUERS) private readonly issuers: Issuers,
    @Inject(IS_WAITING) private readonly isWaiting: NonNullable<IssuerWriting['isWaiting']>,
  ) {}

  @Serves('GET /issuer')
  async read({ identity }: RequestOf<'GET /issuer'>) {
    const { state, version } = await this.issuers.current(identity.account, identity.env);
    const { closedSeries, lacking } = this.context;
    return issuerResource(state, version, { closed: await closedSeries.closedOf(identity), lacking });
  }

  @Serves('PATCH /issuer')
  update({ identity, ifMatch, body: patch, calculated }: RequestOf<'PATCH /issuer'>) {
    const { context, issuers, isWaiting } = this;
    return updateIssuer({ context, issuers, identity, calculated, isWaiting }, { ifMatch, patch });
  }
}
