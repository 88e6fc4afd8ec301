import type { Env } from '@svc/kernel';

/** CloudEvents 1.0 in JSON. `data` is the whole resource as of that event. */
export interface PublicEvent<Data extends object = object> {
  specversion: '1.0';
  /** `evt_…`, the id of the stored event it tells of: a repeat has the same, and the same bytes. */
  id: string;
  /** Owner: `invoicing`, `fiscal-submission`. */
  source: string;
  /** `<context>.<kebab>.v<n>` */
  type: string;
  /** Id of the resource: the ordering key. */
  subject: string;
  /** When it happened, ISO 8601. */
  time: string;
  datacontenttype: 'application/json';
  env: Env;
  account: string;
  /** The resource's version after the event. A lower one than already seen is old news. */
  sequence: number;
  traceparent?: string;
  data: Data;
}

export const topics = {
  invoice: 'invoicing.invoice',
  receipt: 'invoicing.receipt',
  customer: 'invoicing.customer',
  registration: 'invoicing.registration',
  fiscalRegistration: 'fiscal.registration',
} as const;
export type Topic = (typeof topics)[keyof typeof topics];
