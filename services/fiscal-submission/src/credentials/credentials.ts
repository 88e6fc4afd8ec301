import type { CredentialsSuccessor, FiscalCredentialsResource } from '@svc/contracts/credentials/resource';
import { compareAndSet, type Collection, type Doc, type Index } from '@svc/document-store';
import { DomainError, iso, millisOf, type Clock, type Env, type Details } from '@svc/kernel';
import { type Audited, changesOf, type Identity, type KeyRing, withChangeBy } from '@svc/service';
import type { CertificateReader } from './certificate-reader.ts';
import type { CertificateFile, OpenedFile } from './pkcs12.ts';

export const CREDENTIALS_COLLECTION = 'fiscal_credentials';

/** The PKCS#12 file in base64 and its passphrase, and what is in it. */
export interface Secret extends CertificateFile {
  /** Optional until 0.3: 0.1.0 stored the file alone. */
  opened?: OpenedFile;
}

/** What may be shown of a certificate. */
export interface Certificate {
  subject: string;
  serial: string;
  expires_at: string;
  fingerprint: string;
}

/** A certificate that waits for the end of the present one, and for the day from which it is valid. `secret`: as of the present one. */
export interface Successor extends Certificate {
  secret: string;
  /** ISO 8601 */
  valid_from: string;
  created_at: string;
}

/** The certificate of one account and environment. */
export interface Credentials extends Doc, Certificate, Partial<Pick<Audited, 'unpublished' | 'due_at'>> {
  account: string;
  env: Env;
  /** JSON of a `Secret`, encrypted under SECRETS_KEY; absent once deleted. */
  secret?: string | undefined;
  successor?: Successor | undefined;
  /** The last notice that the certificate of this fingerprint expires: so many days before. Absent: none. */
  noticed?: { fingerprint: string; days: number };
  /** The command by which a successor took over last. */
  activated_by?: string;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
  /** The command that deleted them. */
  deleted_by: string | null;
}

export const credentialsIndexes: Index[] = [{ fields: ['env', 'deleted_at', 'expires_at'] }, { fields: ['due_at'] }];

/** What the audit shows: never the file. */
export const AUDITED = ['subject', 'serial', 'expires_at', 'fingerprint'] as const;

export interface CredentialsContext {
  credentials: Collection<Credentials>;
  ring: Pick<KeyRing, 'encrypt'>;
  certificates: Pick<CertificateReader, 'read'>;
  clock: Pick<Clock, 'now'>;
}

/** What signs now: the successor takes over at the end of the one before, once it is valid itself, whether that is stored yet or not. `now`: ISO 8601. */
export function inForce(of: Credentials, now: string): Credentials {
  const { successor, ...before } = of;
  if (!successor || of.expires_at > now || successor.valid_from > now || successor.expires_at <= now) return of;
  return { ...before, ...ofSuccessor(successor) };
}

/** By so much the clock of whoever issues certificates may be ahead of this one, in milliseconds: one that was just made is valid from a time on that is to come here. */
const CLOCKS_DIFFER_MS = 300_000;

/** Whether authorities refuse it for that: it is valid from a later day on. What it signs before waits, as with every refusal of a certificate. `now`: milliseconds since 1970. */
export const isOfLater = ({ valid_from }: Pick<Successor, 'valid_from'>, now: number): boolean =>
  millisOf(valid_from) > now + CLOCKS_DIFFER_MS;

/** What a certificate keeps of the time when it was a successor. */
export const ofSuccessor = ({ created_at: _staged, valid_from: _from, ...certificate }: Successor): Certificate & { secret: string } =>
  certificate;

/** The credentials as the API shows them: never the file or its passphrase. */
export const credentialsResource = (credentials: Credentials): FiscalCredentialsResource => ({
  object: 'fiscal_credentials',
  livemode: credentials.env === 'live',
  subject: credentials.subject,
  serial: credentials.serial,
  expires_at: credentials.expires_at,
  fingerprint: credentials.fingerprint,
  successor: credentials.successor && !credentials.deleted_at ? successorResource(credentials.successor) : null,
  created_at: credentials.created_at,
  updated_at: credentials.updated_at,
  deleted_at: credentials.deleted_at,
});

const successorResource = ({ secret: _secret, valid_from: _from, ...shown }: Successor): CredentialsSuccessor => shown;

/** Throws not_found where the caller's environment has none. */
export async function findCredentials(
  { credentials, clock }: Pick<CredentialsContext, 'credentials' | 'clock'>,
  identity: Pick<Identity, 'account' | 'env'>,
): Promise<Credentials> {
  const found = await credentials.get(credentialsId(identity));
  if (!found || found.deleted_at) throw none();
  return inForce(found, iso(clock.now()));
}

/** Destroys the file, its passphrase and a successor. Repeating the command returns the same answer. Throws not_found where there are none. */
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
      return { secret: undefined, successor: undefined, updated_at: now, deleted_at: now, deleted_by: identity.commandId, ...entry };
    },
  });
  return doc;
}

export const credentialsId = ({ account, env }: Pick<Identity, 'account' | 'env'>): string => `${env}.${account}`;
/** `installed`: what the installation says of authorities whose documents it sends with a certificate of its own. */
export const none = (installed: Details = {}): DomainError =>
  new DomainError(
    'not_found',
    'This environment has no certificate. PUT /v1/fiscal-credentials sets one.',
    Object.keys(installed).length > 0 ? installed : undefined,
  );
