import { createSequence, type EncryptedEventStore } from '@svc/event-store';
import type { NetworkModel } from '@svc/event-store/testing/network-model';
import { Conflict, DomainError, OutcomeUnknown, type Ids } from '@svc/kernel';
import { createLogger, type Identity } from '@svc/service';
import { createClockCheck } from '../clock/clock-check.ts';
import { createAwayAuthorities } from '../document/away.ts';
import type { DocumentContext } from '../document/context.ts';
import type { CustomerState } from '../customer/domain/state.ts';
import type { IssuerState } from '../issuer/domain/state.ts';
import { noClosedSeries } from '../numbering/series.ts';

export const account = 'acct_01jh2k3m4n5p6q7r8s9t0v1w2x';
export const tenant = { account, env: 'test' as const };
export const customerId = 'cust_01jh2k3m4n5p6q7r8s9t0v1w2x';
const customer = {
  ...{ id: customerId, language: null, deleted_at: null },
  personal: { name: 'Jo', email: null, phone: null, tax_id: null, address: null },
} as unknown as CustomerState;
const logger = createLogger({ level: 'silent', service: 'invoicing' });

/** One process of the service on the model's network. */
export function contextOn(model: NetworkModel, process: number, ids: Ids, issuer: IssuerState): DocumentContext {
  const [streams, clock] = [model.connect(process), model.clock(process)];
  const store = { ...streams, hasKey: async () => true } as unknown as EncryptedEventStore;
  return {
    ...{ store, ids, clock, logger, publicUrl: 'https://api.example.com', closedSeries: noClosedSeries },
    clockCheck: createClockCheck({ witnesses: [], clock, logger }),
    lacking: { live: {}, test: {} },
    sequence: createSequence({ streams, ids, clock }),
    outcomeWaits: { wait: async () => undefined },
    away: createAwayAuthorities(),
    issuers: { of: async () => issuer },
    customers: { find: async () => customer, look: async () => ({ state: customer, version: 1 }) },
    products: { named: async () => new Map() },
  };
}

export const callerOf = (ids: Ids): Identity => ({
  ...{ account, env: 'test', livemode: false, permissions: ['*'], actor: { type: 'api_key', id: 'key_1' }, requestId: 'req_1' },
  commandId: ids.next(),
});

export type Step = (context: DocumentContext) => Promise<unknown>;

/**
 * As callers, the bus and the job do it: again until it is done, or refused. `stale`: the messages of the internal errors (TypeError) that a stale read
 * causes, which misses what was appended just now; they are repeated.
 */
export const driving = (stale: RegExp) =>
  async function drive(context: DocumentContext, step: Step): Promise<void> {
    for (let tries = 0; tries < 50; tries += 1) {
      try {
        return void (await step(context));
      } catch (error) {
        if (error instanceof DomainError && error.code !== 'service_unavailable') return;
        const isStale = error instanceof TypeError && stale.test(error.message);
        if (!(isStale || error instanceof OutcomeUnknown || error instanceof Conflict || error instanceof DomainError)) throw error;
      }
    }
    throw new Error('no end');
  };

/** Runs until nothing happens any more: work may wait for turns of the event loop between two messages. */
export async function runOut(model: NetworkModel): Promise<void> {
  for (let n = 0; n < 20; n += 1) await model.run();
}
