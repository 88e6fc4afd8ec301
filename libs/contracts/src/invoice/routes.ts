import { DocumentFileResource, UblFileResource } from '../document/file.ts';
import { HistoryEntry } from '../document/history.ts';
import { AttemptEntry, ResolveDocument, SubmissionResource, SubmitDocument } from '../document/submission.ts';
import { BatchOf } from '../http/batch.ts';
import { ListOf } from '../http/list.ts';
import { PageQuery } from '../http/page.ts';
import { BATCH_LIMIT, type Rows } from '../http/route.ts';
import { CreatePayment, PaymentResource } from './payment.ts';
import { PreviewQuery, PreviewResource } from './preview.ts';
import { CreateInvoice, CreateInvoices, InvoicesQuery, PreviewInvoice, SubmitInvoices, UpdateInvoice, VoidDocument } from './requests.ts';
import { InvoiceResource } from './resource.ts';

export const invoices = {
  'GET /invoices': {
    permission: 'invoices:read',
    service: 'invoicing',
    query: InvoicesQuery,
    isWhole: true,
    response: ListOf(InvoiceResource),
    summary: 'List invoices, newest first.',
  },
  'POST /invoices': {
    stores: 'creation',
    permission: 'invoices:write',
    ok: 201,
    service: 'invoicing',
    body: CreateInvoice,
    response: InvoiceResource,
    summary: 'Create a draft.',
  },
  'POST /invoices/preview': {
    permission: 'invoices:write',
    service: 'invoicing',
    body: PreviewInvoice,
    query: PreviewQuery,
    response: PreviewResource,
    summary: 'Answer the totals that an invoice would have, and make nothing.',
  },
  'POST /invoices/batch': {
    stores: 'creation',
    permission: 'invoices:write',
    service: 'invoicing',
    items: 'requests',
    body: CreateInvoices,
    bodyLimit: BATCH_LIMIT,
    response: BatchOf(InvoiceResource),
    summary: 'Create up to 100 drafts, each by itself.',
  },
  'POST /invoices/batch/submit': {
    permission: 'invoices:submit',
    service: 'invoicing',
    cost: ['submit'],
    items: 'ids',
    body: SubmitInvoices,
    bodyLimit: BATCH_LIMIT,
    response: BatchOf(InvoiceResource),
    summary:
      'Submit up to 100 invoices, each by itself, with numbers in the order of `ids`. More than the account may submit in a minute are 422.',
  },
  'GET /invoices/{id}': { permission: 'invoices:read', service: 'invoicing', response: InvoiceResource, summary: 'Read an invoice.' },
  'PATCH /invoices/{id}': {
    stores: 'change',
    permission: 'invoices:write',
    service: 'invoicing',
    body: UpdateInvoice,
    response: InvoiceResource,
    summary: 'Change a draft or a failed invoice; metadata at any time.',
  },
  'POST /invoices/{id}/submit': {
    permission: 'invoices:submit',
    waits: true,
    service: 'invoicing',
    cost: ['submit'],
    body: SubmitDocument,
    response: InvoiceResource,
    summary: 'Number an invoice and submit it to the tax authority.',
  },
  'POST /invoices/{id}/void': {
    permission: 'invoices:void',
    waits: true,
    service: 'invoicing',
    body: VoidDocument,
    response: InvoiceResource,
    summary: 'Void an invoice.',
  },
  'GET /invoices/{id}/payments': {
    permission: 'invoices:read',
    service: 'invoicing',
    query: PageQuery,
    response: ListOf(PaymentResource),
    summary: 'List the payments of an invoice that are not reversed, newest first.',
  },
  'POST /invoices/{id}/payments': {
    permission: 'invoices:write',
    ok: 201,
    service: 'invoicing',
    body: CreatePayment,
    response: PaymentResource,
    summary: 'Record a payment.',
  },
  'DELETE /invoices/{id}/payments/{pay}': {
    permission: 'invoices:write',
    service: 'invoicing',
    response: PaymentResource,
    summary: 'Reverse a payment.',
  },
  'GET /invoices/{id}/events': {
    permission: 'invoices:read',
    service: 'invoicing',
    query: PageQuery,
    response: ListOf(HistoryEntry),
    summary: 'Tell the history of an invoice.',
  },
  'GET /invoices/{id}/attempts': {
    permission: 'invoices:read',
    service: 'fiscal-submission',
    query: PageQuery,
    response: ListOf(AttemptEntry),
    summary: 'List the exchanges with the tax authority.',
  },
  'POST /invoices/{id}/resolve': {
    permission: 'invoices:submit',
    service: 'fiscal-submission',
    body: ResolveDocument,
    response: SubmissionResource,
    summary: 'Say by hand what became of a submission in doubt.',
  },
  'GET /invoices/{id}/evidence': {
    permission: 'invoices:read',
    service: 'fiscal-submission',
    response: DocumentFileResource,
    summary:
      'Get a link to the evidence of the submission, open for 15 minutes: a ZIP with the exact bytes of each attempt, and a program that checks it.',
  },
  'GET /invoices/{id}/pdf': {
    permission: 'invoices:read',
    service: 'invoicing',
    response: DocumentFileResource,
    summary: 'Get a link to the PDF, open for 15 minutes.',
  },
  'GET /invoices/{id}/ubl': {
    permission: 'invoices:read',
    service: 'invoicing',
    response: UblFileResource,
    summary: 'Get a link to the UBL document by EN 16931, open for 15 minutes, and what it lacks.',
  },
} satisfies Rows;
