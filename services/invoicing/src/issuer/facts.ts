import type { IssuerOf } from '@svc/contracts/credentials/issuer-header';
import { createIssuers } from './issuers.ts';

/** Who the issuer is, for services in the same process that judge certificates by it. */
export function issuerFacts(context: Parameters<typeof createIssuers>[0]): IssuerOf {
  const issuers = createIssuers(context);
  return async ({ account, env }) => {
    const { authority, tax_id } = await issuers.of(account, env);
    return { authority, tax_id };
  };
}
