import { Module, type DynamicModule } from '@nestjs/common';
import { topics } from '@svc/contracts/events/envelope';
import type { DocumentStore } from '@svc/document-store';
import type { EventBus } from '@svc/event-bus';
import {
  checkpointsWithin,
  createSequence,
  type EncryptedEventStore,
  type Checkpoint,
  type SubscriptionContext,
  createProjections,
  PROJECTIONS,
} from '@svc/event-store';
import type { Clock, Env, Ids } from '@svc/kernel';
import {
  backgroundProvider,
  clockSetBack,
  createBackground,
  projectionWork,
  subscriptionWork,
  type Health,
  type KeyRing,
  type Logger,
} from '@svc/service';
import type { Lacking } from './issuer/domain/setup.ts';
import { lackingOf, type AuthoritySettings } from '@svc/service/process/authority-settings';
import { createClockCheck, clockWork } from './clock/clock-check.ts';
import { witnessesOf } from './clock/witnesses.ts';
import { CONTEXT } from './context.ts';
import type { DocumentContext } from './document/context.ts';
import { createCustomers, erasingWork } from './customer/customers.ts';
import { CUSTOMERS } from './customer/http.ts';
import { documentTypes } from './document-types.ts';
import { processWork } from './document/process/process-manager.ts';
import { createAwayAuthorities } from './document/away.ts';
import { createOutcomeWaits } from './document/wait.ts';
import { createFiles, FILES } from './files/files.ts';
import { IS_WAITING, ISSUERS } from './issuer/http.ts';
import { openDocuments } from './open-documents.ts';
import { numberSettings } from './issuer/domain/point-of-sale.ts';
import { createIssuers } from './issuer/issuers.ts';
import { PRODUCTS } from './product/http.ts';
import { createProducts } from './product/products.ts';
import { controllers, history, publishers, servedProjections, termsSources } from './registrations.ts';
import { createRenderer } from '@svc/document-files/renderer';
import { closedSeries, noClosedSeries, seriesRowIndexes, type SeriesRow } from './numbering/series.ts';
import { restoredStore } from './numbering/restored-store.ts';
import { SERIES, type SeriesContext } from './numbering/series-numbers.ts';
import { storedBytesRows, storedBytesWork } from './storage/stored-bytes.ts';
import { createTerms, TERMS, TERMS_NAME } from './terms/list-terms.ts';

/** What this service stands on. `documents` and `store` are its own to use; they are closed by whoever opened them. */
export interface InvoicingAdapters {
  /** `encryptedStore` */
  store: EncryptedEventStore;
  /** Database `svc_invoicing`. */
  documents: DocumentStore;
  bus: EventBus;
  /** Signs links of files. */
  secrets: KeyRing;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  health: Health;
  /** Public origin of links, without a slash at its end. */
  publicUrl: string;
  /** Origins whose servers say by `Date` what time it is. */
  clockWitnesses?: readonly string[];
  /** What the deployment says of itself to tax authorities, and whom it trusts there. */
  deployment: AuthoritySettings;
  /** What it lacks for test documents, by authority; absent: nothing. */
  lackingForTests?: Lacking['test'];
  /** Where fiscal-submission is in this process: how far a submission is. */
  progressOf?: DocumentContext['progressOf'];
  /** Where fiscal-submission is in this process: for which authorities there is a certificate. */
  certifiedOf?: DocumentContext['certifiedOf'];
  /** Names this process in leases. One that comes back under the same name has its leases at once; a new name waits 15 s for them. */
  holder?: string;
}

@Module({})
export class InvoicingModule {
  static async forRoot(adapters: InvoicingAdapters): Promise<DynamicModule> {
    const { store, documents, bus, secrets, clock, ids, logger, health, publicUrl } = adapters;
    const customers = createCustomers({ store, ids });
    const issuers = createIssuers({ store, ids });
    const products = createProducts({ store, ids, clock });
    const sequence = createSequence({ streams: store, ids, clock });
    const checkpoints = documents.collection<Checkpoint>('checkpoints');
    await checkpointsWithin({ store, checkpoints, clock, logger });
    const restored = await restoredStore(documents, store, clock);
    if (restored)
      logger.info({ at: restored.at, until: `${restored.until}` }, 'runs on a restored store: series are closed until they are raised');
    const seriesRows = documents.collection<SeriesRow>('series_after_restore', { indexes: seriesRowIndexes });
    const witnesses = witnessesOf(documents, adapters.clockWitnesses ?? []);
    const clockCheck = createClockCheck({ witnesses, clock, logger });
    void store.newestAt().then(
      (at) => clockCheck.saw('newest event', at ?? -Infinity),
      () => undefined, // the check of the store reports why
    );
    const context: DocumentContext = {
      ...{
        store,
        sequence,
        clock,
        ids,
        publicUrl,
        issuers,
        customers,
        products,
        logger,
        restored,
        progressOf: adapters.progressOf,
        certifiedOf: adapters.certifiedOf,
        lacking: { live: lackingOf(adapters.deployment), test: adapters.lackingForTests ?? {} },
      },
      clockCheck,
      outcomeWaits: createOutcomeWaits({ store, clock, logger, stopping: health.stopping }),
      away: createAwayAuthorities(),
      closedSeries: restored ? closedSeries(restored, seriesRows) : noClosedSeries,
    };
    const subscribing: SubscriptionContext = {
      service: 'invoicing',
      store,
      checkpoints,
      leases: documents.collection('leases'),
      holder: adapters.holder ?? ids.next(),
      clock,
      logger,
    };
    const projections = createProjections(documents, subscribing);
    const terms = createTerms(documents, subscribing, termsSources);
    const types = Object.values(documentTypes);
    const marks = topics.published;
    const relaying = { source: 'invoicing', subscribing, documents, publishers, history, marks, restoredUntil: restored?.until };
    const settings = { ...issuers, of: async (account: string, env: Env) => numberSettings(await issuers.of(account, env)) };
    const series: SeriesContext = { ...context, issuers: settings, restored, rows: seriesRows };
    const renderer = createRenderer({ clock, logger });
    const files = createFiles({ context, secrets, renderer, documentTypes });
    const finishing = processWork(
      context,
      subscribing,
      documents,
      types.map(({ process }) => process),
    );
    const background = createBackground({
      ...{ service: 'invoicing', health },
      work: [
        ...servedProjections.map((projection) => projectionWork(projection, projections, subscribing)),
        subscriptionWork(TERMS_NAME, () => terms.start()),
        subscriptionWork('publishing', () => bus.relay(relaying)),
        ...finishing,
        clockSetBack({ documents, work: finishing, clock, logger }),
        erasingWork(customers, subscribing),
        storedBytesWork(storedBytesRows(documents), subscribing),
        ...(witnesses.length > 0 ? [clockWork(clockCheck, clock)] : []),
      ],
      close: () => renderer.close(),
    });
    health.register('invoicing', background.ready);
    return {
      module: InvoicingModule,
      controllers,
      providers: [
        { provide: CONTEXT, useValue: context },
        { provide: SERIES, useValue: series },
        { provide: PROJECTIONS, useValue: projections },
        { provide: TERMS, useValue: terms },
        { provide: FILES, useValue: files },
        { provide: CUSTOMERS, useValue: customers },
        { provide: PRODUCTS, useValue: products },
        { provide: ISSUERS, useValue: issuers },
        { provide: IS_WAITING, useValue: openDocuments(projections) },
        backgroundProvider(background),
      ],
    };
  }
}
