import { numberSeries, seriesKinds } from '../../issuer/series.ts';
import { CreatePayment, PaymentResource } from '../../invoice/payment.ts';
import { PreviewResource } from '../../invoice/preview.ts';
import { CreateInvoice, PreviewInvoice, UpdateInvoice, VoidDocument } from '../../invoice/requests.ts';
import { InvoiceResource } from '../../invoice/resource.ts';
import { CreateReceipt, VoidReceipt } from '../../receipt/requests.ts';
import { ReceiptResource } from '../../receipt/resource.ts';
import type { Class } from '../../schema/class.ts';
import { ids, times } from './ids.ts';

const head = { livemode: false, created_at: times.created, updated_at: times.updated, metadata: { order: '17' } };
const address = { line1: 'Calle Mayor 1', line2: null, city: 'Madrid', postal_code: '28013', region: null, country: 'ES' };

export const customer = {
  ...{ id: ids.cust, object: 'customer', ...head, version: 1 },
  ...{ name: 'Blue Heron SL', email: 'billing@heron.example', phone: null, tax_id: 'B12345674', language: 'es-ES', address },
  tax_ids: [{ country: 'PT', value: 'PT501964843', kind: 'vat' }],
  ...{ deleted_at: null, erased_at: null },
};

/** The answer to an erasure of `customer`. */
export const erasedCustomer = {
  ...customer,
  ...{ name: null, email: null, phone: null, tax_id: null, tax_ids: [], address: null, version: 2 },
  ...{ deleted_at: times.later, erased_at: times.later, updated_at: times.later },
};

export const issuer = {
  ...{ id: ids.iss, object: 'issuer', ...head, metadata: {}, version: 2 },
  ...{ legal_name: 'Acme Feeds SL', trade_name: 'Acme', tax_id: 'B87654321', vat_registered: true, address },
  ...{ country: 'ES', currency: 'EUR', time_zone: 'Europe/Madrid', language: 'es', default_tax_rate: 21 },
  ...{ prices_include_tax: false, rounding: 'line' },
  series: Object.fromEntries(
    seriesKinds.map((kind) => [kind, { code: numberSeries[kind].code, format: '{series}-{year}-{seq:6}', start: 1 }]),
  ),
  units: [{ code: 'HQ', address: null, devices: ['TILL1'] }],
  devices: [
    {
      ...{ code: 'TILL1', unit: 'HQ', internal_id: 'TILL1', authority_code: null, type: 'regular', maintainer_code: null },
      ...{ valid_from: null, valid_to: null, initial_amount: 0, state: 'unregistered', error: null },
    },
  ],
  operators: [{ code: 'OP1', name: 'Ana' }],
  ...{ software_code: null, installation: null, tax_regime: null, authority: 'sandbox' },
  setup: { ready: true, steps: ['issuer', 'numbers', 'authority'].map((id) => ({ id, done: true, missing: [] })) },
};

const frozenCustomer = (({ id, name, email, phone, tax_id, language }) => ({ id, name, email, phone, tax_id, language, address }))(
  customer,
);
const frozenIssuer = (({ object: _, livemode: _1, created_at: _2, updated_at: _3, version: _4, metadata: _5, series: _6, ...kept }) => {
  const { prices_include_tax: _7, rounding: _8, setup: _9, devices: _10, installation: _11, tax_regime: _12, ...frozen } = kept;
  return frozen;
})(issuer);

const tax = { category: 'VAT', rate: 21, code: 'S', exemption_reason: null, retained: false, surcharge: null };
export const product = {
  ...{ id: ids.prod, object: 'product', ...head, metadata: {}, version: 1 },
  ...{ name: 'Feed', description: 'Feed, 1 kg', sku: 'FEED-1', unit: 'KGM', unit_price: 50.25, currency: 'EUR', taxes: [tax] },
  ...{ active: true, deleted_at: null },
};

const item = {
  ...{ product_id: null, description: 'Feed, 1 kg', quantity: 2, unit: 'KGM', unit_price: 50.25 },
  ...{ discounts: [], charges: [], discount_amount: 0, charge_amount: 0, taxes: [tax], amount: 100.5 },
};
const totals = {
  ...{ subtotal: 100.5, discount_total: 0, charge_total: 0, tax_total: 21.11, retained_total: 0, total: 121.61 },
  tax_breakdown: [{ category: 'VAT', code: 'S', rate: 21, retained: false, base: 100.5, amount: 21.11 }],
};
const fiscal = {
  ...{ authority: 'sandbox', status: 'registered', code: 'SBX-7F3A91C2', issuer_code: null, registered_at: times.updated },
  ...{ verification_url: null, late: false, attempts: 1, last_attempt_at: times.updated, next_attempt_at: null, error: null },
};

/** An invoice after its submission. A draft has no number, parties or `fiscal`. */
export const invoice = {
  ...{ id: ids.inv, object: 'invoice', ...head, version: 4 },
  ...{ type: 'standard', status: 'submitted', available_actions: ['void', 'record_payment'] },
  ...{ customer_id: ids.cust, customer: frozenCustomer, issuer: frozenIssuer, items: [item], discounts: [], charges: [] },
  ...{ currency: 'EUR', prices_include_tax: false, rounding: 'line', series: 'INV', issue_date: '2026-03-01', due_date: '2026-03-31' },
  ...{ supply_date: '2026-02-27', exchange_rate: null },
  ...{ issued_at: times.updated, number: 'INV-2026-000001', corrects: null, notes: null, ...totals },
  ...{ amount_paid: 0, amount_credited: 0, amount_due: 121.61, payment_status: 'unpaid' },
  ...{ fiscal_code: 'SBX-7F3A91C2', fiscal, void: null },
};

export const draft = {
  ...invoice,
  ...{ version: 1, status: 'draft', available_actions: ['update', 'submit', 'void'], updated_at: times.created },
  ...{ customer_name: frozenCustomer.name, warnings: [] },
  ...{ customer: null, issuer: null, issue_date: null, issued_at: null, number: null, fiscal_code: null, fiscal: null },
};

/** One that is being voided where the authority knows no annulment. */
export const voiding = {
  ...invoice,
  ...{ version: 5, status: 'voiding', available_actions: [], updated_at: times.later },
  void: { reason: 'Ordered twice', requested_at: times.later, voided_at: null, document_id: `${ids.inv.slice(0, -1)}6`, error: null },
};

const receipt = {
  ...{ id: ids.rcp, object: 'receipt', ...head, version: 2 },
  ...{
    type: 'receipt',
    corrects: null,
    status: 'issued',
    available_actions: ['void'],
    customer_id: null,
    customer: null,
    issuer: frozenIssuer,
  },
  ...{ items: [{ ...item, amount: 83.06 }], discounts: [], charges: [], currency: 'EUR', prices_include_tax: true, rounding: 'line' },
  ...{ series: 'RCP', issue_date: '2026-03-01', issued_at: times.updated, number: 'RCP-2026-000001', payment_method: 'cash', payments: [] },
  ...{ unit: 'HQ', device: 'TILL1', operator: 'OP1', notes: null },
  ...{ subtotal: 83.06, discount_total: 0, charge_total: 0, tax_total: 17.44, retained_total: 0, total: 100.5 },
  tax_breakdown: [{ category: 'VAT', code: 'S', rate: 21, retained: false, base: 83.06, amount: 17.44 }],
  ...{ fiscal_code: 'SBX-7F3A91C2', fiscal, void: null },
};

export const historyEntry = {
  ...{ version: 3, type: 'numbered', at: times.updated, actor: { type: 'api_key', id: ids.key }, request_id: ids.req },
  changes: { number: 'INV-2026-000001' },
};

export const attempt = {
  ...{
    n: 1,
    at: times.updated,
    duration_ms: 84,
    kind: 'submit',
    outcome: 'registered',
    message_id: 'msg-1',
    request_sha256: 'b2'.repeat(32),
  },
  ...{ http_status: 200, error: null },
};

const preview = {
  ...{ object: 'invoice_preview', livemode: false, type: 'standard', items: [item], discounts: [], charges: [] },
  ...{ currency: 'EUR', prices_include_tax: false, rounding: 'line', ...totals, amount_due: 121.61 },
  warnings: [{ field: 'items.0.unit_price', code: 'price_is_zero', message: 'The unit price is 0: the line adds nothing to the total.' }],
  explanation: [
    {
      ...{ step: 'gross', field: 'items.0', calculation: '2 × 50.25', result: 100.5 },
      rule: 'quantity × unit_price; rounding is line: rounded to 2 decimals',
    },
    {
      ...{ step: 'tax', field: 'tax_breakdown.0.amount', calculation: '100.5 × 21 / 100', result: 21.11 },
      rule: 'one tax for each row, on its base; rounded to 2 decimals',
    },
  ],
  explanation_left_out: 0,
};

const payment = {
  ...{ id: ids.pay, object: 'payment', livemode: false, invoice_id: ids.inv, amount: 50.25, currency: 'EUR' },
  ...{ paid_at: '2026-03-15', method: 'transfer', reference: 'RF18 5390 0754', metadata: {} },
  ...{ created_at: times.later, updated_at: times.later, deleted_at: null },
};

/** Of requests for a document of another kind than the example of its class, by the kind. */
export const kindExamples: readonly (readonly [Class, Readonly<Record<string, { summary: string; value: object }>>])[] = [
  [
    CreateInvoice,
    {
      credit_note: {
        summary: 'A credit note of part of an invoice',
        value: {
          ...{ type: 'credit_note', corrects: ids.inv, customer_id: ids.cust },
          items: [{ description: 'Feed, 1 kg, returned', quantity: 1, unit: 'KGM', unit_price: '50.25', taxes: [{ rate: 21 }] }],
        },
      },
      corrective: {
        summary: 'A corrective: one kilogram less than invoiced',
        value: {
          ...{ type: 'corrective', corrects: ids.inv, customer_id: ids.cust },
          items: [{ description: 'Feed, 1 kg', quantity: -1, unit: 'KGM', unit_price: '50.25', taxes: [{ rate: 21 }] }],
        },
      },
    },
  ],
];

/** Of the documents, and of the requests for them. */
export const documentExamples: readonly (readonly [Class, object])[] = [
  [InvoiceResource, invoice],
  [ReceiptResource, receipt],
  [
    CreateInvoice,
    {
      customer_id: ids.cust,
      items: [{ description: 'Feed, 1 kg', quantity: 2, unit: 'KGM', unit_price: '50.25', taxes: [{ rate: 21 }] }],
      due_date: '2026-03-31',
      supply_date: '2026-02-27',
      metadata: { order: '17' },
    },
  ],
  [PreviewInvoice, { items: [{ description: 'Feed, 1 kg', quantity: 2, unit: 'KGM', unit_price: '50.25', taxes: [{ rate: 21 }] }] }],
  [PaymentResource, payment],
  [PreviewResource, preview],
  [CreatePayment, { amount: '50.25', paid_at: '2026-03-15', method: 'transfer', reference: 'RF18 5390 0754' }],
  [UpdateInvoice, { due_date: '2026-04-15', metadata: { order: null } }],
  [VoidDocument, { reason: 'Ordered twice' }],
  [CreateReceipt, { items: [{ description: 'Feed, 1 kg', quantity: 2, unit_price: 50.25, tax_rate: 21 }], payment_method: 'cash' }],
  [VoidReceipt, { reason: 'Wrong article' }],
];
