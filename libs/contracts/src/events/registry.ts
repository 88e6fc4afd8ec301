import * as customer from '../customer/events.ts';
import * as invoice from '../invoice/events.ts';
import * as receipt from '../receipt/events.ts';
import * as fiscal from '../registration/outcome.ts';
import * as registration from '../registration/requested.ts';
import type { PublicEventType } from './public-event.ts';

const isEventType = (exported: unknown): exported is PublicEventType =>
  typeof exported === 'object' && exported !== null && 'topic' in exported;

const exported: unknown[] = [
  ...Object.values(invoice),
  ...Object.values(receipt),
  ...Object.values(customer),
  ...Object.values(registration),
  ...Object.values(fiscal),
];
const types = exported.filter(isEventType);

/** All public events of the files above, by type. */
export const publicEvents: ReadonlyMap<string, PublicEventType> = new Map(types.map((event) => [event.type, event]));
