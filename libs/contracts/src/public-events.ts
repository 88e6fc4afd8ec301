import * as audit from './audit/setting-changed.ts';
import * as customer from './customer/events.ts';
import { documentEvents, type DocumentResource, documents } from './documents.ts';
import * as fiscal from './registration/outcome.ts';
import * as series from './series/raised.ts';
import * as registration from './registration/requested.ts';
import { documentTopics } from './events/envelope.ts';
import { publicEvent, type PublicEventType } from './events/public-event.ts';

const isEventType = (exported: unknown): exported is PublicEventType =>
  typeof exported === 'object' && exported !== null && 'topic' in exported;

const exported: unknown[] = [
  ...documentEvents.map(([kind, name]) =>
    publicEvent<string, DocumentResource>({
      type: `invoicing.${kind}-${name}.v1`,
      topic: documentTopics[kind],
      data: documents[kind].resource,
    }),
  ),
  ...Object.values(audit),
  ...Object.values(customer),
  ...Object.values(series),
  ...Object.values(registration),
  ...Object.values(fiscal),
];
const types = exported.filter(isEventType);

/** All public events, of the documents and of the files above, by type. */
export const publicEvents: ReadonlyMap<string, PublicEventType> = new Map(types.map((event) => [event.type, event]));
