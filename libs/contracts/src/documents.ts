import type { Prefix } from '@svc/kernel';
import { InvoiceResource } from './invoice/resource.ts';
import { ReceiptResource } from './receipt/resource.ts';
import type { Class } from './schema/class.ts';

interface Document {
  resource: Class<{ id: string }>;
  /** Of its ids. */
  prefix: Prefix;
  /** Its number series, by type of document, with the code that each has by default. */
  series: Record<string, { code: string; about: string }>;
  /** Of keys: `<kind>s:<name>`. */
  permissions: readonly string[];
  /** Its public events, `invoicing.<kind>-<name>.v1`, and when the webhook `<kind>.<name>` is sent; null: none is. The data is the document after the event. */
  events: Record<string, string | null>;
}

/** Every document by its kind. Its topic, permissions, number series, public events, webhooks, and its shape in the events about its registration follow from the row. */
export const documents = {
  invoice: {
    resource: InvoiceResource,
    prefix: 'inv',
    series: {
      standard: { code: 'INV', about: 'Series of invoices.' },
      credit_note: { code: 'CN', about: 'Series of credit notes.' },
      corrective: { code: 'COR', about: 'Series of correctives.' },
    },
    permissions: ['read', 'write', 'submit', 'void'],
    events: {
      created: 'a new invoice was created',
      updated: 'an invoice was updated',
      submitted: 'an invoice was successfully submitted to the tax authority',
      failed: 'submission of an invoice to the tax authority failed',
      voided: 'an invoice was voided',
    },
  },
  receipt: {
    resource: ReceiptResource,
    prefix: 'rcp',
    series: { receipt: { code: 'RCP', about: 'Series of receipts.' } },
    permissions: ['read', 'write', 'void'],
    // `updated`: its registration or voiding has changed.
    events: { created: 'a new receipt was created', updated: null, voided: 'a receipt was voided' },
  },
} as const satisfies Record<string, Document>;

export type Documents = typeof documents;
export type DocumentKind = keyof Documents;
export const documentKinds = Object.keys(documents) as DocumentKind[];

export type DocumentResource = InstanceType<Documents[DocumentKind]['resource']>;
export const documentResources = documentKinds.map((kind) => documents[kind].resource);

/** `[kind, name, description]` of each event of each document. */
export const documentEvents = documentKinds.flatMap((kind) =>
  Object.entries(documents[kind].events).map(([name, about]: [string, string | null]) => [kind, name, about] as const),
);

/** `invoices:read` */
export type DocumentPermission = { [Kind in DocumentKind]: `${Kind}s:${Documents[Kind]['permissions'][number]}` }[DocumentKind];
export const documentPermissions = documentKinds.flatMap((kind) =>
  documents[kind].permissions.map((name) => `${kind}s:${name}` as DocumentPermission),
);

type EventsOf<Kind extends DocumentKind> = Documents[Kind]['events'];
/** `invoicing.invoice-created.v1` */
export type DocumentEventType = { [Kind in DocumentKind]: `invoicing.${Kind}-${keyof EventsOf<Kind> & string}.v1` }[DocumentKind];
/** `invoice.created` */
export type DocumentWebhookType = {
  [Kind in DocumentKind]: {
    [Name in keyof EventsOf<Kind>]: EventsOf<Kind>[Name] extends string ? `${Kind}.${Name & string}` : never;
  }[keyof EventsOf<Kind>];
}[DocumentKind];
