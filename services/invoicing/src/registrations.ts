import { documentTopics, topics, type Topic } from '@svc/contracts/events/envelope';
import { publishedEvents, type PublishedEvents } from '@svc/event-bus/publishing/published-events';
import type { Publisher } from '@svc/event-bus/publishing/publisher';
import type { EventStore, Projection, Row } from '@svc/event-store';
import { FiscalRegistrationConsumer } from './consuming/fiscal-registration.ts';
import { customerEventVersions } from './customer/domain/events.ts';
import type { CustomerState } from './customer/domain/state.ts';
import { CustomersController } from './customer/http.ts';
import { customersProjection, customerTerms } from './customer/list.ts';
import { issuerChangesPublisher } from './issuer/publish-changes.ts';
import { customerPublisher } from './customer/publish.ts';
import { DevicesController } from './devices/http.ts';
import { documentTypes } from './document-types.ts';
import { isNumbered, type DocumentContent, type Written } from './document/domain/state.ts';
import { documentTerms } from './document/list.ts';
import { FilesController } from './files/http.ts';
import { issuerEventVersions } from './issuer/domain/events.ts';
import { IssuerController } from './issuer/http.ts';
import { NUMBER_REFUSED, NUMBER_TAKEN, NUMBERS_RAISED } from './numbering/domain/numbering.ts';
import { raisedSeriesPublisher } from './numbering/publish-raised.ts';
import { PATTERN_CLAIMED } from './numbering/patterns.ts';
import { productEventVersions } from './product/domain/events.ts';
import type { ProductState } from './product/domain/state.ts';
import { ProductsController } from './product/http.ts';
import { productsProjection, productTerms } from './product/list.ts';
import { SKU_CLAIMED } from './product/skus.ts';
import { type TermsSource, termsKinds, type Terms, type TermsKind } from './terms/terms.ts';
import { termsName } from './terms/list-terms.ts';

// What this service stores, serves and publishes. What is the same of every document is in document-types.ts.

const documents = Object.values(documentTypes);

/** Every type of event that is stored, by category of its streams, with the version that is written today. */
export const storedTypes: Record<string, Record<string, number>> = {
  customer: customerEventVersions,
  issuer: issuerEventVersions,
  product: productEventVersions,
  sku: { [SKU_CLAIMED.type]: SKU_CLAIMED.v },
  ...Object.fromEntries(Object.entries(documentTypes).map(([category, { documents: of }]) => [category, of.definition.events.versions])),
  series: { [NUMBER_TAKEN.type]: NUMBER_TAKEN.v, [NUMBER_REFUSED.type]: NUMBER_REFUSED.v, [NUMBERS_RAISED.type]: NUMBERS_RAISED.v },
  pattern: { [PATTERN_CLAIMED.type]: PATTERN_CLAIMED.v },
};

/** The read models of this release. */
export const servedProjections: readonly Projection<Row>[] = [
  ...documents.map(({ projection }) => projection),
  customersProjection,
  productsProjection,
];

const source = (projection: unknown, termsOf: (state: object) => Terms | undefined): TermsSource => ({
  projection: projection as Projection<Row>,
  termsOf,
});

/** Of which events the terms of each kind are made. Callers see a receipt once it has its number. */
export const termsSources: Record<TermsKind, TermsSource> = {
  invoice: source(documentTypes.invoice.projection, (state) => documentTerms('invoice', state as Written<DocumentContent>)),
  receipt: source(documentTypes.receipt.projection, (state) => (isNumbered(state) ? documentTerms('receipt', state) : undefined)),
  customer: source(customersProjection, (state) => customerTerms(state as CustomerState)),
  product: source(productsProjection, (state) => productTerms(state as ProductState)),
};

/** Of every category whose events are published. */
export const publishers: readonly Publisher[] = [
  ...documents.map(({ publisher }) => publisher),
  customerPublisher,
  issuerChangesPublisher as Publisher,
  raisedSeriesPublisher as Publisher,
];

/** until 0.3: release 0.1.0 published documents without an entry, and raises of series not at all. */
export const history = { topic: topics.history, of: Object.values(documentTopics), added: [topics.series] } as const;

/** Those that it publishes to. */
export const published: readonly Topic[] = [
  ...new Set(publishers.flatMap((publisher) => publisher.topics)),
  history.topic,
  topics.published,
];

/** The public events of this service, found again in its encrypted store. */
export const eventsIn = (store: Pick<EventStore, 'read'>): PublishedEvents => publishedEvents({ source: 'invoicing', store, publishers });

/**
 * The collections of this service besides its groups' dead letters. A backup holds the `source` ones; a restore omits the `rebuilt`
 * ones, which follow from events.
 */
export const collections = {
  database: 'svc_invoicing',
  source: ['installation', 'subject_keys'],
  rebuilt: [
    'beginning',
    'checkpoints',
    'leases',
    'noted_time',
    'series_after_restore',
    'stored_bytes',
    'unfinished',
    ...servedProjections.map(({ name }) => name),
    ...termsKinds.map(termsName),
  ],
};

/** Routes, and what is consumed. */
export const controllers = [
  ...documents.map(({ controller }) => controller),
  CustomersController,
  ProductsController,
  IssuerController,
  DevicesController,
  FilesController,
  FiscalRegistrationConsumer,
];
