import { invoice } from './documents.ts';
import { ids, times } from './ids.ts';

export const account = {
  ...{ id: ids.acct, object: 'account', livemode: false, name: 'Acme', plan: 'starter' },
  limits: { plan: 300, burst: 50, submit: 10, receipts: 100, reports: 5 },
  ...{ created_at: times.created, updated_at: times.updated },
};

export const apiKey = {
  ...{
    id: ids.key,
    object: 'api_key',
    livemode: false,
    name: 'Shop',
    start: 'svc_test_4fQ',
    permissions: ['invoices:read', 'invoices:write'],
  },
  ...{ created_at: times.created, updated_at: times.updated, version: 2, last_used_at: times.updated, expires_at: null },
  ...{ previous_expires_at: times.later, deleted_at: null },
};

export const endpoint = {
  ...{ id: ids.we, object: 'webhook_endpoint', livemode: false, created_at: times.created, updated_at: times.created, version: 1 },
  ...{ metadata: {}, url: 'https://shop.example/hooks', events: ['invoice.submitted', 'invoice.failed'], description: 'Shop' },
  ...{ status: 'enabled', disabled_reason: null, header_names: ['X-Shop-Key'], rate_per_second: null },
  recovery: null,
  health: { status: 'ok', failing_since: null, disabled_after: null, last_success_at: times.updated, last_error: null },
};

export const event = {
  ...{ id: ids.evt, object: 'event', type: 'invoice.submitted', created_at: times.updated, livemode: false, sequence: 4, data: invoice },
};

export const eventType = {
  ...{
    object: 'event_type',
    type: 'invoice.submitted',
    description: 'an invoice was successfully submitted to the tax authority',
    version: 1,
  },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...{ title: 'InvoiceEvent', type: 'object' },
  },
  example: event,
};

export const delivery = {
  ...{ id: ids.whd, object: 'webhook_delivery', livemode: false, endpoint_id: ids.we, event_id: ids.evt, event_type: 'invoice.submitted' },
  ...{ resource_id: ids.inv, status: 'succeeded', next_attempt_at: null },
  attempts: [
    {
      ...{ n: 1, at: times.updated, duration_ms: 120, trigger: 'schedule', status_code: 200, error: null, response_body: 'ok' },
      phases: { resolve: 4, connect: 21, tls: 38, wait: 56, body: 1 },
    },
  ],
  created_at: times.updated,
};

export const reportType = {
  object: 'report_type',
  report: 'sales',
  description: 'What was sold, by day, ISO week, month, customer or product.',
};

export const credentials = {
  ...{
    object: 'fiscal_credentials',
    livemode: false,
    subject: 'C=AL, O=Acme, CN=Acme Feeds',
    serial: '5A47A3F6455221975E54B6BD54E5F7DE29FC1CC8',
  },
  ...{ expires_at: times.later, fingerprint: 'e9a0fd331ff8b310696cf495d405175c5c9cf8c1b0cfd63e3dbcaa6840384a07' },
  ...{ successor: null, created_at: times.created, updated_at: times.created, deleted_at: null },
};

export const device = {
  ...{ object: 'device', livemode: false, code: 'TILL2', unit: 'bb123bb123', internal_id: 'TILL2', authority_code: 'cc123cc124' },
  ...{ type: 'regular', maintainer_code: 'mm123mm123', valid_from: '2026-03-01', valid_to: null, initial_amount: 0 },
  ...{ state: 'registered', error: null },
};

export const credentialsCheck = {
  ...{ object: 'fiscal_credentials_check', livemode: false, authority: 'sandbox', ready: true },
  checks: [
    { id: 'authority', outcome: 'passed', message: 'Documents are sent to https://authority.example.' },
    { id: 'certificate', outcome: 'skipped', message: 'sandbox asks for no certificate.' },
    { id: 'owner', outcome: 'skipped', message: 'There is no certificate of the issuer to look at.' },
    { id: 'connection', outcome: 'passed', message: 'sandbox answered within 12 ms.' },
  ],
  checked_at: times.updated,
};

const links = {
  first: 'https://api.example/v1/reports/sales?page=1',
  last: 'https://api.example/v1/reports/sales?page=1',
  prev: null,
  next: null,
};
const statementLink = `https://api.example/v1/customers/${ids.cust}/statement?page=1`;

export const report = {
  ...{ object: 'report', report: 'sales', livemode: false, from: '2026-03-01', to: '2026-03-31', as_of: '2026-03-15' },
  ...{ known_at: null, time_zone: 'Europe/Madrid', position: times.updated, generated_at: times.updated },
  open: { documents: 0, oldest_issue_date: null },
  data: [{ key: '2026-03-01', currency: 'EUR', documents: 1, subtotal: 100.5, discount_total: 0, tax_total: 21.11, total: 121.61 }],
  totals: [{ currency: 'EUR', documents: 1, subtotal: 100.5, discount_total: 0, tax_total: 21.11, total: 121.61 }],
  meta: { current_page: 1, per_page: 20, total: 1, last_page: 1 },
  links,
};

export const statement = {
  ...{ object: 'statement', livemode: false, customer_id: ids.cust, customer_name: 'Blue Heron SL', as_of: '2026-03-15' },
  ...{ time_zone: 'Europe/Madrid', position: times.updated, generated_at: times.updated },
  data: [
    {
      ...{ due_date: '2026-03-31', issue_date: '2026-03-01', number: 'INV-2026-000123', document_id: ids.inv },
      ...{ currency: 'EUR', total: 121.61, due: 21.61 },
    },
  ],
  totals: [{ currency: 'EUR', total: 121.61, due: 21.61 }],
  meta: { current_page: 1, per_page: 20, total: 1, last_page: 1 },
  links: { ...links, first: statementLink, last: statementLink },
};

export const file = {
  ...{ object: 'file', url: 'https://api.example/files/invoicing.eyJ2.c2ln', expires_at: times.later },
};

export const ublFile = {
  ...{ ...file, conforms: false },
  missing: [{ rule: 'BR-11', field: 'customer.address.country', message: 'The address of the buyer has a country.' }],
};

export const error = {
  error: {
    code: 'validation_error',
    message: 'The request is not valid: items.0.quantity. See details, fix it and send it again.',
    details: {
      'items.0.quantity': [
        'Send a number or a decimal string with at most 12 digits before and 8 after the point, not zero, without exponent.',
      ],
    },
    issues: [{ field: 'items.0.quantity', rule: 'decimal', params: { digits: 12, decimals: 8, sign: 'not zero' } }],
    request_id: ids.req,
  },
};

export const problem = {
  ...{ type: 'https://api.example/docs/errors/validation_error', title: 'Validation error', status: 422, detail: error.error.message },
  ...{ code: 'validation_error', request_id: ids.req, details: error.error.details, issues: error.error.issues },
};

export const request = {
  ...{ id: ids.req, at: '2026-03-01T10:00:00.000Z', method: 'POST', path: '/v1/invoices', status: 422, code: 'validation_error' },
  ...{
    message: 'The request is not valid: items. See details, fix it and send it again.',
    fields: ['items'],
    key_id: ids.key,
    member_id: null,
  },
  ...{ duration_ms: 12, ip: '192.0.2.7', idempotency_key: null },
};
