import { publishedEvents, type PublishedEvents } from '@svc/event-bus/publishing/published-events';
import type { Publisher } from '@svc/event-bus/publishing/publisher';
import type { EventStore } from '@svc/event-store';
import { customerPublisher } from './customer/publish.ts';
import { documentTypes } from './document-types.ts';

/** Of every category whose events are published. */
export const publishers: readonly Publisher[] = [...Object.values(documentTypes).map(({ publisher }) => publisher), customerPublisher];

/** The public events of this service, found again in its encrypted store. */
export const eventsIn = (store: Pick<EventStore, 'read'>): PublishedEvents => publishedEvents({ source: 'invoicing', store, publishers });
