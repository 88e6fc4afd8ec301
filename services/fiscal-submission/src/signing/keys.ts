import type { Collection } from '@svc/document-store';
import { iso, type Clock } from '@svc/kernel';
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
  /** Keys of test issuers that have set no certificate, by authority. */
  testKeys?: ReadonlyMap<string, IssuerKey>;
}

/** The keys in the certificates that accounts have set. */
export function storedKeys({ credentials, ring, certificates, clock, testKeys }: KeysContext): Keys {
  return {
    async of(owner) {
      const _id = credentialsId(owner);
      const stored = await credentials.get(_id);
      const found = stored && inForce(stored, iso(clock.now()));
      if (!found?.secret || found.deleted_at) {
        const published = owner.env === 'test' ? testKeys?.get(owner.authority) : undefined;
        if (published) return published;
        throw missing();
      }
      if (found.expires_at <= iso(clock.now())) throw expired(found.expires_at);
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
const expired = (at: string): NoKey =>
  new NoKey(
    'credentials_expired',
    `The certificate expired at ${at}. PUT /v1/fiscal-credentials sets its successor; what waits is then sent.`,
  );
