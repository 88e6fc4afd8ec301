import { type Certified, CERTIFIED_HEADER, certifiedIn } from '@svc/contracts/credentials/certified-header';
import type { FastifyRequest } from 'fastify';
import type { DocumentContext } from './context.ts';

/** From this process, else as the gateway says; undefined: in test, where simulators take a published one, or it is not known. */
export async function certifiedOfRequest(
  { certifiedOf }: Pick<DocumentContext, 'certifiedOf'>,
  { identity, headers }: Pick<FastifyRequest, 'identity' | 'headers'>,
): Promise<Certified | undefined> {
  if (!identity.livemode) return undefined;
  return certifiedOf ? certifiedOf(identity) : certifiedIn(headers[CERTIFIED_HEADER]);
}
