import type { KeyRing, Logger } from '@svc/service';
import type { KeysContext } from '../keys/context.ts';
import type { MembersContext } from '../members/context.ts';
import type { Hashing } from './hashing.ts';
import type { SessionTerms } from './session.ts';
import type { SessionStore } from './store.ts';
import type { SignInTries } from './tries.ts';

export interface SessionsContext extends KeysContext, MembersContext {
  store: KeysContext['store'];
  people: SessionStore;
  /** Encrypts the secrets of second factors. */
  secrets: KeyRing;
  hashing: Hashing;
  tries: SignInTries;
  terms: SessionTerms;
  logger: Logger;
}

export interface From {
  address: string;
  userAgent: string | null;
}
