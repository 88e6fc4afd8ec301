import { Controller, Inject } from '@nestjs/common';
import type { FiscalCredentialsResource } from '@svc/contracts/credentials/resource';
import { type RequestOf, Serves } from '@svc/service';
import { credentialsResource, deleteCredentials, findCredentials, putCredentials, type CredentialsContext } from './credentials.ts';

export const CREDENTIALS = Symbol('credentials');

@Controller()
export class CredentialsController {
  constructor(@Inject(CREDENTIALS) private readonly context: CredentialsContext) {}

  @Serves('GET /fiscal-credentials')
  async read({ identity }: RequestOf<'GET /fiscal-credentials'>): Promise<FiscalCredentialsResource> {
    return credentialsResource(await findCredentials(this.context, identity));
  }

  @Serves('PUT /fiscal-credentials')
  async put({ identity, body }: RequestOf<'PUT /fiscal-credentials'>): Promise<FiscalCredentialsResource> {
    return credentialsResource(await putCredentials(this.context, identity, body));
  }

  @Serves('DELETE /fiscal-credentials')
  async delete({ identity }: RequestOf<'DELETE /fiscal-credentials'>): Promise<FiscalCredentialsResource> {
    return credentialsResource(await deleteCredentials(this.context, identity));
  }
}
