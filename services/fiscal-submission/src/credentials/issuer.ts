import { type IssuerFacts, type IssuerOf, ISSUER_HEADER, issuerIn } from '@svc/contracts/credentials/issuer-header';
import type { Identity } from '@svc/service';
import type { FastifyRequest } from 'fastify';

/** The issuer by whom a certificate is judged: from this process, else as the gateway says; undefined: it does not, and the owner is not judged. */
export async function issuerOfRequest(
  issuerOf: IssuerOf | undefined,
  { identity, headers }: { identity: Identity; headers: FastifyRequest['headers'] },
): Promise<IssuerFacts | undefined> {
  return issuerOf ? issuerOf(identity) : issuerIn(headers[ISSUER_HEADER]);
}
