import { Controller, Inject } from '@nestjs/common';
import type { IssuerOf } from '@svc/contracts/credentials/issuer-header';
import type { FiscalCredentialsResource } from '@svc/contracts/credentials/resource';
import { type RequestOf, Serves } from '@svc/service';
import { activateSuccessor } from './activate.ts';
import { credentialsResource, deleteCredentials, findCredentials } from './credentials.ts';
import { issuerOfRequest } from './issuer.ts';
import { putCredentials, type PutContext } from './put.ts';

export const CREDENTIALS = Symbol('credentials');

export interface CredentialsParts {
  context: PutContext;
  /** Where this process has the issuers; elsewhere the gateway says who the issuer is. */
  issuerOf: IssuerOf | undefined;
}

@Controller()
export class CredentialsController {
  constructor(@Inject(CREDENTIALS) private readonly parts: CredentialsParts) {}

  @Serves('GET /fiscal-credentials')
  async read({ identity }: RequestOf<'GET /fiscal-credentials'>): Promise<FiscalCredentialsResource> {
    return credentialsResource(await findCredentials(this.parts.context, identity));
  }

  @Serves('PUT /fiscal-credentials')
  async put(request: RequestOf<'PUT /fiscal-credentials'>): Promise<FiscalCredentialsResource> {
    const { identity, body } = request;
    const { context, issuerOf } = this.parts;
    return credentialsResource(await putCredentials(context, identity, body, await issuerOfRequest(issuerOf, request)));
  }

  @Serves('DELETE /fiscal-credentials')
  async delete({ identity }: RequestOf<'DELETE /fiscal-credentials'>): Promise<FiscalCredentialsResource> {
    return credentialsResource(await deleteCredentials(this.parts.context, identity));
  }

  @Serves('POST /fiscal-credentials/activate')
  async activate({ identity }: RequestOf<'POST /fiscal-credentials/activate'>): Promise<FiscalCredentialsResource> {
    return credentialsResource(await activateSuccessor(this.parts.context, identity));
  }
}
