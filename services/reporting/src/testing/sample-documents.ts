import type { PublicEvent } from '@svc/contracts/events/envelope';
import { fixtureOf } from '@svc/contracts/testing/fixtures';
import { parseEvent } from '@svc/contracts/testing/parse';
import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import type { DocumentEntry } from '@svc/contracts/document/entry';
import type { EntryEvent } from '../postings/posting-of.ts';

type Document = InvoiceResource | ReceiptResource;
type Event = PublicEvent<Document>;
/** The line of an event's history is its sequence. */
type Envelope = Partial<Omit<Event, 'data' | 'entry'>> & { entry?: Partial<DocumentEntry> };

const uid = (n: number): string => `01jqz5rk4e7${String(n).padStart(15, '0')}`;
export const invoiceId = (n: number): string => `inv_${uid(n)}`;
export const receiptId = (n: number): string => `rcp_${uid(n)}`;
export const customerId = (n: number): string => `cust_${uid(n)}`;
export const productId = (n: number): string => `prod_${uid(n)}`;
export const ACCOUNT = `acct_${uid(1)}`;

export const registered = {
  authority: 'sandbox',
  status: 'registered',
  code: 'F-1',
  issuer_code: null,
  registered_at: '2026-01-10T09:00:01.000Z',
  verification_url: null,
  late: false,
  attempts: 1,
  last_attempt_at: '2026-01-10T09:00:01.000Z',
  next_attempt_at: null,
  error: null,
} as const;

export const voidedAt = (voided_at: string) => ({
  reason: 'never delivered',
  requested_at: voided_at,
  voided_at,
  document_id: null,
  error: null,
});

export const line = (more: object = {}) => ({
  product_id: null,
  description: 'Work',
  quantity: 1,
  unit: 'C62',
  unit_price: 100,
  discounts: [],
  charges: [],
  discount_amount: 0,
  charge_amount: 0,
  taxes: [{ category: 'VAT', rate: 20, code: 'S' }],
  amount: 100,
  ...more,
});

export const issuer = {
  legal_name: 'Feed Ltd',
  trade_name: null,
  tax_id: null,
  vat_registered: true,
  address: null,
  country: 'AL',
  currency: 'EUR',
  time_zone: 'Europe/Tirane',
  authority: 'sandbox',
};

/** 100 EUR and 20 % of tax, issued on 2026-01-10. */
const document = (version: number) => ({
  livemode: false,
  available_actions: [],
  customer: null,
  issuer,
  items: [line()],
  discounts: [],
  charges: [],
  currency: 'EUR',
  prices_include_tax: false,
  rounding: 'line',
  issue_date: '2026-01-10',
  issued_at: '2026-01-10T09:00:00.000Z',
  notes: null,
  subtotal: 100,
  discount_total: 0,
  charge_total: 0,
  tax_total: 20,
  retained_total: 0,
  total: 120,
  tax_breakdown: [{ category: 'VAT', code: 'S', rate: 20, retained: false, base: 100, amount: 20 }],
  fiscal_code: 'F-1',
  fiscal: registered,
  void: null,
  metadata: {},
  created_at: '2026-01-10T08:00:00.000Z',
  updated_at: '2026-01-10T09:00:01.000Z',
  version,
});

/** The event as it arrives from the bus. Throws when it violates the published schema. */
function checkedEvent({ entry, ...event }: Envelope, data: object): EntryEvent {
  const envelope = {
    specversion: '1.0',
    id: `evt_${uid(1)}`,
    source: 'invoicing',
    time: '2026-01-10T09:00:01.000Z',
    datacontenttype: 'application/json',
    env: 'test',
    account: ACCOUNT,
    sequence: 3,
    ...event,
  };
  const isFirst = envelope.sequence === 1 && (data as { number: string | null }).number !== null;
  const numbered = isFirst && { numbered: { seq: 1, series_key: 'S' } };
  const line = {
    line: envelope.sequence,
    ...numbered,
    type: 'updated',
    at: envelope.time,
    actor: { type: 'system', id: null },
    request_id: null,
  };
  return parseEvent(JSON.stringify({ ...envelope, entry: { ...line, ...entry }, data })) as EntryEvent;
}

export function invoiceEvent(n: number, over: object = {}, event: Envelope = {}): EntryEvent {
  const data = {
    ...document(event.sequence ?? 3),
    id: invoiceId(n),
    object: 'invoice',
    type: 'standard',
    status: 'submitted',
    customer_id: customerId(1),
    series: 'INV',
    due_date: null,
    number: `INV-2026-${n}`,
    corrects: null,
    amount_paid: 0,
    amount_credited: 0,
    amount_due: 120,
    payment_status: 'unpaid',
    ...over,
  };
  return checkedEvent({ type: 'invoicing.invoice-updated.v1', subject: data.id, ...event }, data);
}

export function receiptEvent(n: number, over: object = {}, event: Envelope = {}): EntryEvent {
  const data = {
    ...document(event.sequence ?? 3),
    id: receiptId(n),
    object: 'receipt',
    status: 'issued',
    customer_id: null,
    series: 'RCP',
    number: `RCP-2026-${n}`,
    payment_method: 'cash',
    payments: [{ method: 'cash', amount: 120 }],
    unit: null,
    device: null,
    operator: null,
    ...over,
  };
  return checkedEvent({ type: 'invoicing.receipt-updated.v1', subject: data.id, ...event }, data);
}

/** That an issuer's settings were changed. */
export function issuerChanged(changes: Record<string, { from: unknown; to: unknown }>, over: Partial<PublicEvent> = {}): PublicEvent {
  const event = JSON.parse(fixtureOf('audit.setting-changed.v1')) as PublicEvent<object>;
  const data = { ...event.data, action: 'issuer.updated', target: { type: 'issuer', id: `iss_${uid(1)}`, name: null }, changes };
  return parseEvent(JSON.stringify({ ...event, account: ACCOUNT, subject: ACCOUNT, env: 'test', ...over, data }));
}
