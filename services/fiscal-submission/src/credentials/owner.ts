import type { IssuerFacts } from '@svc/contracts/credentials/issuer-header';

/** How an authority reads whose certificate it is. */
export interface Owner {
  /** Tax ids as they stand in the subject of a certificate, its whole match. */
  taxId: RegExp;
  /** Representatives and collaborators may sign for the issuer. */
  mayDiffer: boolean;
}

/** By authority; one that is not there does not look at the owner. */
export type Owners = ReadonlyMap<string, { owner?: Owner }>;

/** That a certificate names another owner than the issuer; undefined: it does not, or its subject has no tax id. */
export function otherOwner(
  owners: Owners,
  { authority, tax_id }: IssuerFacts,
  subject: string,
): { isRefused: boolean; message: string } | undefined {
  const owner = authority === null ? undefined : owners.get(authority)?.owner;
  if (!owner || tax_id === null) return undefined;
  const named = [...subject.matchAll(new RegExp(owner.taxId.source, 'g'))].map(([one]) => one);
  if (named.length === 0 || named.includes(tax_id)) return undefined;
  const isRefused = !owner.mayDiffer;
  const next = isRefused ? `Send the certificate of ${tax_id}.` : 'That is lawful where it is of a representative or collaborator.';
  return { isRefused, message: `The certificate names ${named[0]}, and the issuer is ${tax_id}. ${next}` };
}
