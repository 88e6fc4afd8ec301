import type { IssuerFacts } from '@svc/contracts/credentials/issuer-header';
import { otherOwner } from '@svc/contracts/issuer/certificate-owner';
import type { PutFiscalCredentials } from '@svc/contracts/credentials/requests';
import { compareAndSet } from '@svc/document-store';
import { invalid, iso } from '@svc/kernel';
import { changesOf, type Identity, withChangeBy } from '@svc/service';
import {
  AUDITED,
  credentialsId,
  inForce,
  isOfLater,
  type Certificate,
  type Credentials,
  type CredentialsContext,
  type Secret,
  type Successor,
} from './credentials.ts';

type Checked = Omit<Successor, 'created_at'>;

/**
 * Stores a certificate in the place of the one before, or stages it as its successor. Throws validation_error about `certificate`, `passphrase` or `successor`, and
 * service_unavailable where others are being read.
 * @param issuer undefined: it is not known, and the owner is not judged
 */
export async function putCredentials(
  context: CredentialsContext,
  identity: Identity,
  { successor, ...file }: PutFiscalCredentials,
  issuer?: IssuerFacts,
): Promise<Credentials> {
  const checked = await checkedFile(context, identity, file, issuer);
  return successor ? stage(context, identity, checked) : set(context, identity, checked);
}

async function checkedFile(
  { ring, certificates, clock }: CredentialsContext,
  { account }: Identity,
  { certificate, passphrase }: PutFiscalCredentials,
  issuer: IssuerFacts | undefined,
): Promise<Checked> {
  if (!isSequence(certificate)) throw invalid({ certificate: ['Send a PKCS#12 file (.p12, .pfx) in base64.'] });
  const { validFrom, expiresAt, opened, ...read } = await certificates.read(account, { certificate, passphrase });
  const expires_at = iso(expiresAt);
  if (expiresAt <= clock.now()) throw invalid({ certificate: [`The certificate expired at ${expires_at}. Send one that is valid.`] });
  const other = issuer && otherOwner(issuer, read.subject);
  if (other?.isRefused) throw invalid({ certificate: [other.message] });
  return {
    ...read,
    valid_from: iso(validFrom),
    expires_at,
    secret: ring.encrypt(JSON.stringify({ certificate, passphrase, opened } satisfies Secret)),
  };
}

/** Whether a file begins like every PKCS#12 file, with the tag of a DER SEQUENCE (RFC 7292): what does not is refused without the reader, which takes one of an account at a time. */
const isSequence = (base64: string): boolean => Buffer.from(base64.slice(0, 4), 'base64')[0] === 0x30;

async function set(
  { credentials, clock }: CredentialsContext,
  identity: Identity,
  { valid_from, ...checked }: Checked,
): Promise<Credentials> {
  const { account, env } = identity;
  const now = iso(clock.now());
  if (isOfLater({ valid_from }, clock.now()))
    throw invalid({
      certificate: [
        `The certificate is valid from ${valid_from} on, and authorities refuse it before. Send it then, or with \`successor\` where it follows the present one.`,
      ],
    });
  const after = { ...checked, updated_at: now, deleted_at: null, deleted_by: null };
  const audited = (before: Credentials | undefined) => {
    const target = { id: credentialsId(identity), name: null };
    const change = { type: 'fiscal_credentials' as const, verb: before ? ('updated' as const) : ('created' as const), target };
    return withChangeBy(before, { ...change, changes: changesOf<Partial<Credentials>>(AUDITED, before, after) }, identity, clock);
  };
  const { doc } = await compareAndSet<Credentials, Credentials>(credentials, credentialsId(identity), {
    absent: () => ({ _id: credentialsId(identity), version: 1, account, env, ...after, created_at: now, ...audited(undefined) }),
    change: (before) => ({
      ...after,
      ...(before.deleted_at && { created_at: now }),
      ...audited(before.deleted_at ? undefined : before),
    }),
  });
  return doc;
}

/** The present certificate goes on to sign. A successor that is staged already is replaced. */
async function stage({ credentials, clock }: CredentialsContext, identity: Identity, checked: Checked): Promise<Credentials> {
  const now = iso(clock.now());
  const successor: Successor = { ...checked, created_at: now };
  const { doc } = await compareAndSet<Credentials, Credentials>(credentials, credentialsId(identity), {
    absent() {
      throw noneBefore();
    },
    change(found) {
      const before = inForce(found, now);
      if (before.deleted_at) throw noneBefore();
      if (successor.expires_at < before.expires_at)
        throw invalid({ certificate: [`It expires before the present one, which is valid until ${before.expires_at}. Send a later one.`] });
      const changes = changesOf<Partial<Certificate>>(AUDITED, found.successor, successor);
      const named = Object.fromEntries(Object.entries(changes).map(([field, change]) => [`successor.${field}`, change]));
      const target = { id: credentialsId(identity), name: null };
      const entry = withChangeBy(found, { type: 'fiscal_credentials', verb: 'updated', target, changes: named }, identity, clock);
      const { subject, serial, expires_at, fingerprint, secret } = before;
      return { subject, serial, expires_at, fingerprint, secret, successor, updated_at: now, ...entry };
    },
  });
  return doc;
}

const noneBefore = () => invalid({ successor: ['There is no certificate that it could follow. Send it without `successor`.'] });
