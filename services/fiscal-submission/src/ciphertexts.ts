import { ciphertextsIn } from '@svc/service/reencryption/stored-ciphertexts';
import { CREDENTIALS_COLLECTION, type Credentials } from './credentials/credentials.ts';

/** What this service stores encrypted under SECRETS_KEY. */
export const ciphertexts = [
  ciphertextsIn<Credentials>(CREDENTIALS_COLLECTION, ({ secret, successor }, each) => ({
    ...(secret !== undefined && { secret: each(secret) }),
    ...(successor && { successor: { ...successor, secret: each(successor.secret) } }),
  })),
];
