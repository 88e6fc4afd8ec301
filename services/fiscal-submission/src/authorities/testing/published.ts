import { createPrivateKey, sign } from 'node:crypto';
import type { Tls } from '../../sending/http.ts';
import { clientsOf } from '../../signing/clients.ts';
import type { Signed } from '../../signing/signer.ts';
import { testKeys } from '../test-certificates.ts';

const keyOf = (authority: string) => {
  const found = testKeys.get(authority);
  if (!found) throw new Error(`${authority} has no published test key`);
  return found;
};

/** Signs as a test issuer that has set no certificate. */
export function publishedSigner(authority: string): (text: string) => Signed {
  const { key: text, certificate } = keyOf(authority);
  const key = createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
  return (signed) => ({ signature: sign('sha256', Buffer.from(signed), key), certificate });
}

export const publishedClient = (authority: string): Promise<NonNullable<Tls['client']>> =>
  clientsOf({ of: async () => keyOf(authority) }).of({ env: 'test', account: 'acct_test', authority });
