import type { ProgressOf } from '@svc/contracts/document/progress';
import type { Env } from '@svc/kernel';
import type { Logger } from '@svc/service';
import type { CustomerState } from '../customer/domain/state.ts';
import type { IssuerState } from '../issuer/domain/state.ts';
import type { NumberingContext } from '../numbering/context.ts';
import type { Products } from '../product/products.ts';
import type { OutcomeWaits } from './wait.ts';

/** What the use cases of documents work with. `store` encrypts and decrypts personal data by itself. */
export interface DocumentContext extends NumberingContext {
  /** Base of links: `https://api.example.com`. */
  publicUrl: string;
  issuers: {
    /** As the store has it now; the default where nothing is stored. */
    of(account: string, env: Env): Promise<IssuerState>;
  };
  customers: {
    /** As the store has it now, deleted ones too; undefined for an id that this account and environment does not have. */
    find(account: string, env: Env, id: string): Promise<CustomerState | undefined>;
  };
  products: Pick<Products, 'named'>;
  /** Requests that wait for the tax authority, of all accounts. */
  outcomeWaits: OutcomeWaits;
  /** Where fiscal-submission is in this process; elsewhere the gateway asks for it. */
  progressOf?: ProgressOf<{ account: string; env: Env; id: string }> | undefined;
  logger: Logger;
}
