import type { Certified, CertifiedOf } from '@svc/contracts/credentials/certified-header';
import type { ProgressOf } from '@svc/contracts/document/progress';
import type { Calculated } from '@svc/contracts/schema/calculated';
import type { EncryptedEventStore } from '@svc/event-store';
import type { Env, JsonText, Turn, EventMetadata } from '@svc/kernel';
import type { HeavyTurn, Identity, IfMatch, Logger } from '@svc/service';
import type { Customers } from '../customer/customers.ts';
import type { Lacking } from '../issuer/domain/setup.ts';
import type { IssuerState } from '../issuer/domain/state.ts';
import type { NumberingContext } from '../numbering/context.ts';
import type { Products } from '../product/products.ts';
import type { AwayAuthorities } from './away.ts';
import type { OutcomeWaits } from './wait.ts';

/** What the use cases of documents work with. `store` encrypts and decrypts personal data by itself. */
export interface DocumentContext extends NumberingContext {
  store: EncryptedEventStore;
  /** Base of links: `https://api.example.com`. */
  publicUrl: string;
  issuers: {
    /** As the store has it now; the default where nothing is stored. */
    of(account: string, env: Env): Promise<IssuerState>;
  };
  /** As the store has them now, deleted ones too; undefined for an id that this account and environment does not have. */
  customers: Pick<Customers, 'find' | 'look'>;
  products: Pick<Products, 'named'>;
  /** What the deployment lacks for live documents. */
  lacking: Lacking;
  /** Requests that wait for the tax authority, of all accounts. */
  outcomeWaits: OutcomeWaits;
  /** Which of them do not answer. */
  away: AwayAuthorities;
  /** Where fiscal-submission is in this process; elsewhere the gateway asks for it. */
  progressOf?: ProgressOf<{ account: string; env: Env; id: string }> | undefined;
  /** Where fiscal-submission is in this process: for which authorities there is a certificate; elsewhere the gateway says it. */
  certifiedOf?: CertifiedOf | undefined;
  logger: Logger;
}

/** The streams, and the ids of what is appended to them. */
export type Stores = Pick<NumberingContext, 'store' | 'ids'>;

/** Who asks, and what with. */
export interface Call {
  context: DocumentContext;
  identity: Identity;
  /** The request's. */
  turn?: Turn;
  /** The request's, for work on what is stored. */
  heavyTurn?: HeavyTurn;
  calculated?: Calculated;
  /** For which authorities its live documents have a certificate; undefined or absent: nothing is refused for that. */
  certified?: () => Promise<Certified | undefined>;
  /** Takes what the answer shows besides the command's events, before these are appended: `answeredFrom` of the request. */
  answeredFrom?: (from: string | undefined) => void;
  /** The customers that the request has read, each once: an answer shows the one that was checked. Absent: as they are at each look. */
  customers?: Pick<Customers, 'find' | 'look'>;
}

/** A document as it is answered, and the state that it shows. */
export interface Written<Shown> {
  state: Shown;
  text: JsonText;
}

/** Who reads: an account in one of its environments. */
export type Reading = Pick<Call, 'turn'> & { context: Stores; identity: Pick<Identity, 'account' | 'env'> };

/** A document that a caller names, and the versions it may have. */
export interface Named {
  id: string;
  ifMatch: IfMatch | undefined;
}

/** A document, wherever it stands. */
export interface DocumentRef {
  account: string;
  env: Env;
  id: string;
}

/** Metadata of a step: without a command id, which stands in the event of the command that began the process. */
export type Continuing = Omit<EventMetadata, 'v' | 'command_id'>;
