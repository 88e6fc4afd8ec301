import type { Day, Details } from '@svc/kernel';
import type { BeingNumbered as DocumentBeingNumbered } from '../../document/domain/numbering.ts';
import type { FrozenCustomer } from '../../document/domain/parties.ts';
import type {
  DocumentContent,
  Issue,
  NumberedDocument,
  Voided as VoidedDocument,
  VoidRequest,
  Voiding as VoidingDocument,
  Written,
} from '../../document/domain/state.ts';

/** What callers write of an invoice, every default filled in. */
export interface InvoiceContent extends DocumentContent {
  type: 'standard';
  customer_id: string;
  /** null: the day of numbering; from then on that day. */
  issue_date: Day | null;
  due_date: Day | null;
  corrects: null;
}

interface Common extends Written<InvoiceContent> {
  updated_at: string;
}

interface Numbered extends NumberedDocument<InvoiceContent, FrozenCustomer> {
  late_reason: string | null;
}

export interface Draft extends Common {
  status: 'draft';
  /** Why the last submission took no number. */
  refused: Details | null;
  /** How often a number was asked for so far, where it was. */
  requests?: number;
}
/** Submission was requested: to callers it is submitting. */
export interface BeingNumbered extends Common, DocumentBeingNumbered {
  request: number;
  late_reason: string | null;
}
export interface Submitting extends Numbered {
  status: 'submitting';
}
export interface Failed extends Numbered {
  status: 'failed';
}
export interface Submitted extends Numbered {
  status: 'submitted';
  /** The last one, which the authority refused. */
  void: VoidRequest | null;
}
export interface Voiding extends Numbered, VoidingDocument {
  status: 'voiding';
}
export interface VoidedDraft extends Common {
  status: 'voided';
  issue: null;
  void: VoidRequest;
}
export interface Voided extends Numbered, VoidedDocument {
  status: 'voided';
}

export type InvoiceState = Draft | BeingNumbered | Submitting | Failed | Submitted | Voiding | Voided | VoidedDraft;
export type NumberedInvoice = Extract<InvoiceState, { issue: Issue }>;

export const isNumbered = (state: InvoiceState): state is NumberedInvoice => 'issue' in state && state.issue !== null;
