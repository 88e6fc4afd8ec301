import type { Book } from '../wires/book.ts';
import { isIssuedBy, readCertificate, type Certificate } from '../pki/certificate.ts';
import type { TestAuthority } from '../pki/test-authority.ts';
import type { Dialect } from './dialect.ts';
import { published, type Refusal } from './refusal.ts';

/** The certificate of a message where it is valid for the taxpayer. */
export function checkedCertificate(
  der: Buffer,
  { authority, registry, dialect, taxId, now }: { authority: TestAuthority; registry: Book; dialect: Dialect; taxId: string; now: number },
): Certificate | Refusal {
  const certificate = readCertificate(der);
  if (!certificate) return published(34);
  if (!isIssuedBy(certificate, authority)) return published(35);
  if (now >= certificate.to) return published(36);
  if (now < certificate.from) return published(34);
  if (namesAnother(certificate, taxId, dialect)) return published(37);
  return registry.value('revoked', certificate.serial) === undefined ? certificate : published(38);
}

/** Where the tax number stands in the subject is not published: every attribute that looks like one counts. */
function namesAnother({ subject }: Certificate, taxId: string, { taxId: { pattern } }: Dialect): boolean {
  const found = subject.map(({ value }) => value).filter((value) => pattern.test(value));
  return found.length > 0 && !found.includes(taxId);
}
