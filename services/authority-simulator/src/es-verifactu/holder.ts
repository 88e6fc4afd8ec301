import type { Book } from '../wires/book.ts';
import { isIssuedBy, readCertificate, type Certificate } from '../pki/certificate.ts';
import type { TestAuthority } from '../pki/test-authority.ts';
import { isNif } from './identities.ts';

/** The NIF in the subject of a certificate, which may stand behind a prefix: `IDCES-89890001K`. */
export function nifOf({ subject }: Certificate): string | undefined {
  const values = subject.map(({ value }) => value.replace(/^(IDCES|VATES)-/, ''));
  return values.find(isNif);
}

/** A client's certificate where the authority trusts it. */
export function trustedCertificate(der: Buffer, authority: TestAuthority, registry: Book, now: number): Certificate | undefined {
  const certificate = readCertificate(der);
  const isValid =
    certificate !== undefined &&
    isIssuedBy(certificate, authority) &&
    certificate.from <= now &&
    now < certificate.to &&
    registry.value('revoked', certificate.serial) === undefined;
  return isValid ? certificate : undefined;
}

/** Sends for everybody: the holder of a published certificate, for clients without one of their own. */
const COLLABORATOR = 'A99999997';

/** Whether the holder may send for a taxpayer: he is it, its representative in the header, or declared to represent it. */
export function maySendFor(registry: Book, holder: string | undefined, issuer: string, representative: string | undefined): boolean {
  if (holder === undefined) return false;
  if (holder === COLLABORATOR) return true;
  const represented = registry.value<{ represents?: string[] }>('taxpayer', holder)?.represents ?? [];
  return holder === issuer || holder === representative || represented.includes(issuer) || represented.includes('*');
}
