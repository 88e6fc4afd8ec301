import { Controller, Inject } from '@nestjs/common';
import { CERTIFIED_HEADER, certifiedText } from '@svc/contracts/credentials/certified-header';
import type { IssuerOf } from '@svc/contracts/credentials/issuer-header';
import type { FiscalCredentialsResource } from '@svc/contracts/credentials/resource';
import { type Clock, type Details, DomainError, iso } from '@svc/kernel';
import { type RequestOf, Serves } from '@svc/service';
import type { FastifyReply } from 'fastify';
import { activateSuccessor } from './activate.ts';
import { type CredentialsContext, credentialsResource, deleteCredentials, findCredentials, none } from './credentials.ts';
import { issuerOfRequest } from './issuer.ts';
import { putCredentials } from './put.ts';

export const CREDENTIALS = Symbol('credentials');

/** Certificates of the installation, by authority. `expires_at`: ISO 8601; absent: they have no end. */
type Installed = ReadonlyMap<string, { expires_at?: string }>;

export interface CredentialsParts {
  context: CredentialsContext;
  /** Where this process has the issuers; elsewhere the gateway says who the issuer is. */
  issuerOf: IssuerOf | undefined;
  /** Certificates with which this installation sends live documents, by authority. */
  installed: Installed;
}

/** Those that are valid, by authority, in words. */
const certificatesOf = (installed: Installed, clock: Pick<Clock, 'now'>): Details =>
  Object.fromEntries(
    [...installed]
      .filter(([, { expires_at: until }]) => until === undefined || until > iso(clock.now()))
      .map(([authority]) => [authority, ['Its documents are sent with the certificate of this installation.']]),
  );

@Controller()
export class CredentialsController {
  constructor(@Inject(CREDENTIALS) private readonly parts: CredentialsParts) {}

  @Serves('GET /fiscal-credentials')
  async read({ identity }: RequestOf<'GET /fiscal-credentials'>, reply: FastifyReply): Promise<FiscalCredentialsResource> {
    const { context, issuerOf } = this.parts;
    const installed: Installed = identity.livemode ? this.parts.installed : new Map();
    const found = await findCredentials(context, identity).catch((error: unknown) => {
      if (error instanceof DomainError && error.code === 'not_found') return undefined;
      throw error;
    });
    if (!issuerOf) reply.header(CERTIFIED_HEADER, certifiedText(found ? { subject: found.subject } : [...installed.keys()]));
    if (!found) throw none(certificatesOf(installed, context.clock));
    return credentialsResource(found);
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
