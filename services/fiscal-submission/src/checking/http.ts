import { Controller, Inject } from '@nestjs/common';
import type { IssuerOf } from '@svc/contracts/credentials/issuer-header';
import type { FiscalCredentialsCheckResource } from '@svc/contracts/credentials/resource';
import { type RequestOf, Serves } from '@svc/service';
import { issuerOfRequest } from '../credentials/issuer.ts';
import { checkCredentials, type CheckContext } from './check.ts';

export const CHECKING = Symbol('checking');

export interface Checking {
  context: CheckContext;
  issuerOf: IssuerOf | undefined;
}

@Controller()
export class CheckController {
  constructor(@Inject(CHECKING) private readonly checking: Checking) {}

  @Serves('POST /fiscal-credentials/check')
  async check(request: RequestOf<'POST /fiscal-credentials/check'>): Promise<FiscalCredentialsCheckResource> {
    const { context, issuerOf } = this.checking;
    return checkCredentials(context, request.identity, await issuerOfRequest(issuerOf, request));
  }
}
