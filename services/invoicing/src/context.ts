import type { ProgressOf } from '@svc/contracts/document/progress';
import type { EventStore, Sequence } from '@svc/event-store';
import type { Clock, Env, EventMetadata, Ids } from '@svc/kernel';
import type { Identity, Logger } from '@svc/service';
import type { ClockCheck } from './clock/clock-check.ts';
import type { CustomerState } from './customer/domain/state.ts';
import type { OutcomeWaits } from './document/wait.ts';
import type { IssuerState } from './issuer/domain/state.ts';
import type { Products } from './product/products.ts';
import type { ClosedSeries } from './restore/closed-series.ts';
import type { RestoredStore } from './restore/restored-store.ts';

/** What every use case of this service works with. */
export interface InvoicingContext {
  /** Seals and opens personal data by itself. */
  store: EventStore;
  sequence: Sequence;
  clock: Clock;
  ids: Ids;
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
  closedSeries: ClosedSeries;
  /** Requests that wait for the tax authority, of all accounts. */
  outcomeWaits: OutcomeWaits;
  /** Whether the clock may date documents. */
  clockCheck: ClockCheck;
  /** Where fiscal-submission is in this process; elsewhere the gateway asks for it. */
  progressOf?: ProgressOf<{ account: string; env: Env; id: string }> | undefined;
  /** Of a store that was restored from a backup. */
  restored?: RestoredStore | undefined;
  logger: Logger;
}

/** Nest's injection token of the `InvoicingContext`. */
export const CONTEXT = Symbol('InvoicingContext');

/** What the events of this caller's command carry; `subject`: whose personal data they hold. */
export function metadataOf(identity: Identity, subject?: string): Omit<EventMetadata, 'v'> {
  return {
    account: identity.account,
    env: identity.env,
    command_id: identity.commandId,
    request_id: identity.requestId,
    actor: identity.actor,
    ...(identity.traceparent === undefined ? {} : { traceparent: identity.traceparent }),
    ...(subject === undefined ? {} : { subject }),
  };
}
