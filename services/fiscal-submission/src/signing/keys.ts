import type { Collection } from '@svc/document-store';
import { iso, type Clock, type Env } from '@svc/kernel';
import type { KeyRing } from '@svc/service';
import type { CertificateReader } from '../credentials/certificate-reader.ts';
import { CREDENTIALS_COLLECTION, credentialsId, inForce, type Credentials, type Secret } from '../credentials/credentials.ts';
import { NoKey, type KeyOwner } from './signer.ts';

export interface IssuerKey {
  fingerprint: string;
  /** DER in base64. */
  certificate: string;
  /** PKCS#8 in base64. */
  key: string;
}

/** A key for all issuers that have set no certificate. */
export interface CommonKey extends IssuerKey {
  /** ISO 8601; absent: it does not end. */
  expires_at?: string;
}

/** By environment and authority. */
export type CommonKeys = Readonly<Record<Env, ReadonlyMap<string, CommonKey>>>;

/** Where a signer finds the keys of issuers. */
export interface Keys {
  /** Throws `NoKey` where the issuer has no certificate, or it has expired. */
  of(owner: KeyOwner): Promise<IssuerKey>;
}

interface KeysContext {
  credentials: Pick<Collection<Credentials>, 'get'>;
  ring: Pick<KeyRing, 'decrypt'>;
  certificates: Pick<CertificateReader, 'read'>;
  clock: Pick<Clock, 'now'>;
  commonKeys: CommonKeys;
}

/** The keys in the certificates that accounts have set. */
export function storedKeys({ credentials, ring, certificates, clock, commonKeys }: KeysContext): Keys {
  return {
    async of(owner) {
      const _id = credentialsId(owner);
      const stored = await credentials.get(_id);
      const found = stored && inForce(stored, iso(clock.now()));
      if (!found?.secret || found.deleted_at) {
        const common = commonKeys[owner.env].get(owner.authority);
        if (!common) throw missing();
        if (common.expires_at !== undefined && common.expires_at <= iso(clock.now())) throw commonExpired(common.expires_at);
        return common;
      }
      if (found.expires_at <= iso(clock.now())) throw expired(found);
      const text = ring.decrypt(found.secret, { collection: CREDENTIALS_COLLECTION, id: _id }).toString();
      const { opened, ...file } = JSON.parse(text) as Secret;
      // until 0.3: 0.1.0 stored the file alone
      const { key, certificate } = opened ?? (await certificates.read(owner.account, file)).opened;
      return { fingerprint: found.fingerprint, key, certificate };
    },
  };
}

const missing = (): NoKey =>
  new NoKey('credentials_missing', 'The issuer has no certificate. PUT /v1/fiscal-credentials sets one; what waits is then sent.');
const commonExpired = (at: string): NoKey =>
  new NoKey(
    'credentials_expired',
    `The issuer has no certificate, and that of this installation expired at ${at}. PUT /v1/fiscal-credentials sets one, or the operator sets a valid one.`,
  );
const expired = ({ expires_at: at, successor }: Pick<Credentials, 'expires_at' | 'successor'>): NoKey =>
  new NoKey(
    'credentials_expired',
    successor && successor.valid_from > at
      ? `The certificate expired at ${at}, and its successor is valid from ${successor.valid_from} on; what waits is then sent.`
      : `The certificate expired at ${at}. PUT /v1/fiscal-credentials sets its successor; what waits is then sent.`,
  );
