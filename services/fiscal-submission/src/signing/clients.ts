import type { Tls } from '../sending/http.ts';
import type { Keys } from './keys.ts';
import type { KeyOwner } from './signer.ts';

/** As whom connections to authorities are made. */
export interface Clients {
  /** Throws `NoKey`. */
  of(owner: KeyOwner): Promise<NonNullable<Tls['client']>>;
}

const pem = (label: string, base64: string): string => {
  const lines = base64.match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
};

/** Connections that show the certificates of issuers. */
export const clientsOf = (keys: Keys): Clients => ({
  async of(owner) {
    const { key, certificate } = await keys.of(owner);
    return { account: owner.account, key: pem('PRIVATE KEY', key), certificate: pem('CERTIFICATE', certificate) };
  },
});
