import type { AuthorityId } from './vocabulary.ts';
import type { IssuerFacts } from '../credentials/issuer-header.ts';

/** How an authority reads whose certificate it is. */
interface Owner {
  /** Tax ids as they stand in the subject of a certificate, its whole match. */
  taxId: RegExp;
  /** Representatives and collaborators may sign for the issuer. */
  mayDiffer: boolean;
}

/** By authority, whether this installation sends to it or not; one that is not there does not look at the owner. */
const owners: Partial<Record<AuthorityId, Owner>> = {
  'al-cis': { taxId: /\b[A-Z][0-9]{8}[A-Z]\b/g, mayDiffer: false },
  'me-efi': { taxId: /\b([0-9]{13}|[0-9]{8})\b/g, mayDiffer: false },
  'es-verifactu': { taxId: /\b[0-9A-Z][0-9]{7}[0-9A-Z]\b/g, mayDiffer: true },
};

/** That a certificate names another owner than the issuer; undefined: it does not, or its subject has no tax id. */
export function otherOwner({ authority, tax_id }: IssuerFacts, subject: string): { isRefused: boolean; message: string } | undefined {
  const owner = authority !== null && Object.hasOwn(owners, authority) ? owners[authority as AuthorityId] : undefined;
  if (!owner || tax_id === null) return undefined;
  const named = Array.from(subject.matchAll(owner.taxId), ([one]) => one);
  if (named.length === 0 || named.includes(tax_id)) return undefined;
  const isRefused = !owner.mayDiffer;
  const next = isRefused ? `Send the certificate of ${tax_id}.` : 'That is lawful where it is of a representative or collaborator.';
  return { isRefused, message: `The certificate names ${named[0]}, and the issuer is ${tax_id}. ${next}` };
}
