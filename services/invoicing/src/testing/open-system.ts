import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore, type DocumentStore, type Lease } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import {
  createSequence,
  documentSubjectKeys,
  embeddedEventStore,
  encryptedEventStore,
  type Checkpoint,
  type EventStore,
  type SubjectKey,
  type SubscriptionContext,
} from '@svc/event-store';
import { createIds, prefixed, systemClock, type Clock, type Env } from '@svc/kernel';
import { createLogger, newKeyRing, parseKeyRing, type Identity } from '@svc/service';
import type { DocumentContext } from '../document/context.ts';
import { createClockCheck } from '../clock/clock-check.ts';
import { createAwayAuthorities } from '../document/away.ts';
import { createOutcomeWaits } from '../document/wait.ts';
import { createCustomers } from '../customer/customers.ts';
import { createIssuers } from '../issuer/issuers.ts';
import { createProducts } from '../product/products.ts';
import { noClosedSeries } from '../numbering/series.ts';

export const secrets = parseKeyRing(newKeyRing());

/** A temporary data folder, which systems can open one after the other, as processes do around a crash. */
export function dataFolder() {
  const path = mkdtempSync(join(tmpdir(), 'invoicing-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Every dependency of this service, on the embedded engine. */
export function openSystem(folder: string, clock: Clock = systemClock) {
  const engine = Engine.open(folder, { durable: false });
  return {
    engine,
    ...systemOn({ documents: embeddedDocumentStore(engine, 'svc_invoicing'), raw: embeddedEventStore(engine, clock) }, clock),
  };
}

/** The same on any adapters. */
export function systemOn({ documents, raw }: { documents: DocumentStore; raw: EventStore }, clock: Clock = systemClock) {
  const keys = documentSubjectKeys({ collection: documents.collection<SubjectKey>('subject_keys'), secrets, clock });
  const store = encryptedEventStore(raw, keys);
  const ids = createIds(clock);
  const logger = createLogger({ level: 'silent', service: 'invoicing' });
  const customers = createCustomers({ store, ids });
  const issuers = createIssuers({ store, ids });
  const products = createProducts({ store, ids, clock });
  const stopping = new AbortController();
  const context: DocumentContext = {
    store,
    sequence: createSequence({ streams: store, ids, clock }),
    clock,
    ids,
    publicUrl: 'https://api.example.com',
    issuers,
    customers,
    products,
    closedSeries: noClosedSeries,
    outcomeWaits: createOutcomeWaits({ store, clock, logger, stopping: stopping.signal }),
    away: createAwayAuthorities(),
    clockCheck: createClockCheck({ witnesses: [], clock, logger }),
    lacking: { live: {}, test: {} },
    logger,
  };
  const subscribing: SubscriptionContext = {
    store,
    checkpoints: documents.collection<Checkpoint>('checkpoints'),
    leases: documents.collection<Lease>('leases'),
    holder: ids.next(),
    clock,
    logger,
  };
  return { documents, raw, keys, store, ids, clock, logger, customers, issuers, products, context, subscribing, stopping };
}

export type System = ReturnType<typeof openSystem>;

/** A caller with a command id of its own. */
export const callerOf = ({ ids }: Pick<System, 'ids'>, account = 'acct_01jh2k3m4n5p6q7r8s9t0v1w2x', env: Env = 'test'): Identity => ({
  account,
  env,
  livemode: env === 'live',
  permissions: ['*'],
  actor: { type: 'api_key', id: 'key_1' },
  requestId: prefixed('req', ids.next()),
  commandId: ids.next(),
});
