import { DocumentFileResource } from '../document/file.ts';
import { HistoryEntry } from '../document/history.ts';
import { AttemptEntry, ResolveDocument, SubmissionResource, SubmitDocument } from '../document/submission.ts';
import { ListOf } from '../http/list.ts';
import { PageQuery } from '../http/page.ts';
import type { Rows } from '../http/route.ts';
import { CreateReceipt, ReceiptsQuery, VoidReceipt } from './requests.ts';
import { ReceiptResource } from './resource.ts';

export const receipts = {
  'GET /receipts': {
    permission: 'receipts:read',
    service: 'invoicing',
    query: ReceiptsQuery,
    isWhole: true,
    response: ListOf(ReceiptResource),
    summary: 'List receipts, newest first.',
  },
  'POST /receipts': {
    stores: 'creation',
    permission: 'receipts:write',
    ok: 201,
    waits: true,
    service: 'invoicing',
    cost: ['receipts'],
    body: CreateReceipt,
    response: ReceiptResource,
    summary: 'Issue a receipt: it is numbered at once.',
  },
  'GET /receipts/{id}': { permission: 'receipts:read', service: 'invoicing', response: ReceiptResource, summary: 'Read a receipt.' },
  'GET /receipts/{id}/events': {
    permission: 'receipts:read',
    service: 'invoicing',
    query: PageQuery,
    response: ListOf(HistoryEntry),
    summary: 'Tell the history of a receipt.',
  },
  'GET /receipts/{id}/attempts': {
    permission: 'receipts:read',
    service: 'fiscal-submission',
    query: PageQuery,
    response: ListOf(AttemptEntry),
    summary: 'List the exchanges with the tax authority.',
  },
  'GET /receipts/{id}/evidence': {
    permission: 'receipts:read',
    service: 'fiscal-submission',
    response: DocumentFileResource,
    summary:
      'Get a link to the evidence of the submission, open for 15 minutes: a ZIP with the exact bytes of each attempt, and a program that checks it.',
  },
  'GET /receipts/{id}/pdf': {
    permission: 'receipts:read',
    service: 'invoicing',
    response: DocumentFileResource,
    summary: 'Get a link to the PDF, on paper of 80 mm, open for 15 minutes.',
  },
  'POST /receipts/{id}/resubmit': {
    permission: 'receipts:write',
    waits: true,
    service: 'invoicing',
    body: SubmitDocument,
    response: ReceiptResource,
    summary: 'Submit a receipt again that was rejected for credentials or setup.',
  },
  'POST /receipts/{id}/void': {
    permission: 'receipts:void',
    waits: true,
    service: 'invoicing',
    body: VoidReceipt,
    response: ReceiptResource,
    summary: 'Void a receipt.',
  },
  'POST /receipts/{id}/resolve': {
    permission: 'receipts:write',
    service: 'fiscal-submission',
    body: ResolveDocument,
    response: SubmissionResource,
    summary: 'Say by hand what became of a submission in doubt.',
  },
} satisfies Rows;
