import type { PutFiscalCredentials } from '@svc/contracts/credentials/requests';
import type { FiscalCredentialsResource } from '@svc/contracts/credentials/resource';
import { compareAndSet, type Collection, type Doc, type Index } from '@svc/document-store';
import { DomainError, invalid, iso, type Clock, type Env } from '@svc/kernel';
import { type Audited, changesOf, type Identity, type KeyRing, withChangeBy } from '@svc/service';
import type { CertificateReader } from './certificate-reader.ts';
import type { CertificateFile, OpenedFile } from './pkcs12.ts';

export const CREDENTIALS_COLLECTION = 'fiscal_credentials';

/** The PKCS#12 file in base64 and its passphrase, and what is in it. */
export interface Secret extends CertificateFile {
  /** Optional until 0.3: 0.1.0 stored the file alone. */
  opened?: OpenedFile;
}

/** The certificate of one account and environment. */
export interface Credentials extends Doc, Partial<Pick<Audited, 'unpublished' | 'due_at'>> {
  account: string;
  env: Env;
  subject: string;
  serial: string;
  expires_at: string;
  fingerprint: string;
  /** JSON of a `Secret`, encrypted under SECRETS_KEY; absent once deleted. */
  secret?: string | undefined;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
  /** The command that deleted them. */
  deleted_by: string | null;
}

export const credentialsIndexes: Index[] = [{ fields: ['env', 'deleted_at', 'expires_at'] }, { fields: ['due_at'] }];

/** What the audit shows: never the file. */
const AUDITED = ['subject', 'serial', 'expires_at', 'fingerprint'] as const;

export interface CredentialsContext {
  credentials: Collection<Credentials>;
  ring: Pick<KeyRing, 'encrypt'>;
  certificates: Pick<CertificateReader, 'read'>;
  clock: Pick<Clock, 'now'>;
}

/** The credentials as the API shows them: never the file or its passphrase. */
export const credentialsResource = (credentials: Credentials): FiscalCredentialsResource => ({
  object: 'fiscal_credentials',
  livemode: credentials.env === 'live',
  subject: credentials.subject,
  serial: credentials.serial,
  expires_at: credentials.expires_at,
  fingerprint: credentials.fingerprint,
  created_at: credentials.created_at,
  updated_at: credentials.updated_at,
  deleted_at: credentials.deleted_at,
});

/** Throws not_found where the caller's environment has none. */
export async function findCredentials({ credentials }: CredentialsContext, identity: Identity): Promise<Credentials> {
  const found = await credentials.get(credentialsId(identity));
  if (!found || found.deleted_at) throw none();
  return found;
}

/**
 * Stores a certificate in the place of the one before. Throws validation_error about `certificate` or `passphrase`, and service_unavailable
 * where others are being read.
 */
export async function putCredentials(
  { credentials, ring, certificates, clock }: CredentialsContext,
  identity: Identity,
  { certificate, passphrase }: PutFiscalCredentials,
): Promise<Credentials> {
  if (!isSequence(certificate)) throw invalid({ certificate: ['Send a PKCS#12 file (.p12, .pfx) in base64.'] });
  const { expiresAt, opened, ...read } = await certificates.read(identity.account, { certificate, passphrase });
  const expires_at = iso(expiresAt);
  if (expiresAt <= clock.now()) throw invalid({ certificate: [`The certificate expired at ${expires_at}. Send one that is valid.`] });
  const now = iso(clock.now());
  const secret = ring.encrypt(JSON.stringify({ certificate, passphrase, opened } satisfies Secret));
  const set = { ...read, expires_at, secret, updated_at: now, deleted_at: null, deleted_by: null };
  const { account, env } = identity;
  const audited = (before: Credentials | undefined, after: typeof set) => {
    const target = { id: credentialsId(identity), name: null };
    const change = { type: 'fiscal_credentials' as const, verb: before ? ('updated' as const) : ('created' as const), target };
    return withChangeBy(before, { ...change, changes: changesOf<Partial<Credentials>>(AUDITED, before, after) }, identity, clock);
  };
  const { doc } = await compareAndSet<Credentials, Credentials>(credentials, credentialsId(identity), {
    absent: () => ({ _id: credentialsId(identity), version: 1, account, env, ...set, created_at: now, ...audited(undefined, set) }),
    change: (before) => ({
      ...set,
      ...(before.deleted_at && { created_at: now }),
      ...audited(before.deleted_at ? undefined : before, set),
    }),
  });
  return doc;
}

/** Whether a file begins like every PKCS#12 file, with the tag of a DER SEQUENCE (RFC 7292): what does not is refused without the reader, which takes one of an account at a time. */
const isSequence = (base64: string): boolean => Buffer.from(base64.slice(0, 4), 'base64')[0] === 0x30;

/** Destroys the file and its passphrase. Repeating the command returns the same answer. Throws not_found where there are none. */
export async function deleteCredentials({ credentials, clock }: CredentialsContext, identity: Identity): Promise<Credentials> {
  const { doc } = await compareAndSet<Credentials, Credentials>(credentials, credentialsId(identity), {
    absent() {
      throw none();
    },
    change(before) {
      const { deleted_at, deleted_by } = before;
      if (deleted_by === identity.commandId) return undefined;
      if (deleted_at) throw none();
      const now = iso(clock.now());
      const target = { id: credentialsId(identity), name: null };
      const changes = changesOf<Partial<Credentials>>(AUDITED, before, undefined);
      const entry = withChangeBy(before, { type: 'fiscal_credentials', verb: 'deleted', target, changes }, identity, clock);
      return { secret: undefined, updated_at: now, deleted_at: now, deleted_by: identity.commandId, ...entry };
    },
  });
  return doc;
}

export const credentialsId = ({ account, env }: Pick<Identity, 'account' | 'env'>): string => `${env}.${account}`;
const none = (): DomainError => new DomainError('not_found', 'This environment has no certificate. PUT /v1/fiscal-credentials sets one.');
