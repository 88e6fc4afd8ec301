import type { Env } from '@svc/kernel';

/** Whose key signs. */
export interface KeyOwner {
  env: Env;
  account: string;
  /** Who takes what is signed. */
  authority: string;
}

export interface Signed {
  signature: Buffer;
  /** DER in base64: the certificate of the key. */
  certificate: string;
}

/** Signs with the keys of issuers, which only it holds. */
export interface Signer {
  /** RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017) over the text in UTF-8. Throws `NoKey`, and service_unavailable where too many wait. */
  sign(owner: KeyOwner, text: string): Promise<Signed>;
  close(): Promise<void>;
}

/** The issuer has no key that can sign. `code`: why, in words of the API. */
export class NoKey extends Error {
  override readonly name = 'NoKey';
  constructor(
    readonly code: 'credentials_missing' | 'credentials_expired' | 'credentials_unsuitable',
    message: string,
  ) {
    super(message);
  }
}
