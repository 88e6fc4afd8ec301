import type { Env } from '@svc/kernel';

/** What a certificate is judged by. */
export interface IssuerFacts {
  authority: string | null;
  tax_id: string | null;
}

/** Looks up the issuer of an account, where its service is in this process. */
export type IssuerOf = (of: { account: string; env: Env }) => Promise<IssuerFacts>;

/** The header in which the gateway gives it to fiscal-submission, which does not know issuers. It passes none on from outside. */
export const ISSUER_HEADER = 'x-svc-issuer';

export const issuerText = ({ authority, tax_id }: IssuerFacts): string =>
  Buffer.from(JSON.stringify([authority, tax_id])).toString('base64url');

/** Of the header; undefined for none. */
export function issuerIn(header: unknown): IssuerFacts | undefined {
  if (typeof header !== 'string') return undefined;
  const [authority = null, tax_id = null] = JSON.parse(Buffer.from(header, 'base64url').toString()) as (string | null)[];
  return { authority, tax_id };
}
