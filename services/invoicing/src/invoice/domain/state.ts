import type { CorrectionCode, DocumentType, PaymentMethod } from '@svc/contracts/document/vocabulary';
import type { Day, Details } from '@svc/kernel';
import type { Payments } from './payments.ts';
import type {
  BeingNumbered as DocumentBeingNumbered,
  DocumentContent,
  NumberedDocument,
  Voided as VoidedDocument,
  VoidRequest,
  Voiding as VoidingDocument,
  Written,
  CorrectedDocument,
} from '../../document/domain/state.ts';
import type { FrozenCustomer } from '../../document/domain/parties.ts';
import type { Corrections } from './credits.ts';

/** What callers write of an invoice, every default filled in. */
export interface InvoiceContent extends DocumentContent {
  type: DocumentType;
  customer_id: string;
  /** null: the day of numbering; from then on that day. */
  issue_date: Day | null;
  due_date: Day | null;
  /** Where it is not the issue date. Absent: null. */
  supply_date?: Day | null;
  /** The issuer's currency per unit of the invoice's, decimal text above 0. Absent: null. */
  exchange_rate?: string | null;
  /** How it is to be paid. Absent: null. */
  payment_method?: PaymentMethod | null;
  /** Where it is issued and by whom: codes of the issuer's. Absent or null: its first ones. */
  unit?: string | null;
  device?: string | null;
  operator?: string | null;
  /** Which kind of correction it is, in the authority's words. Absent: null. */
  correction_code?: CorrectionCode | null;
  /** Id of the invoice that it corrects; null: none. */
  corrects: string | null;
}

interface Common extends Written<InvoiceContent> {
  updated_at: string;
  /** It carries out the void of the invoice that it corrects. */
  reversal?: true;
}

interface Numbered extends NumberedDocument<InvoiceContent, FrozenCustomer> {
  reversal?: true;
  corrected?: CorrectedDocument;
  late_reason: string | null;
  /** Absent: none was ever recorded. Only a submitted invoice gets them, and none that counts is ever voided. */
  payments?: Payments;
  /** Which submission this is: counted on with each request for a number and each for a resubmission. */
  attempt: number;
  /** The credit notes and correctives of it. */
  corrections?: Corrections;
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
  corrected?: CorrectedDocument;
}
export type Submitting = Numbered & { status: 'submitting' };
/** `refused`: why the invoice that it corrects had not enough left for the last resubmission. */
export type Failed = Numbered & { status: 'failed'; refused?: Details };
/** Resubmission was requested of a correction, whose original is to hold its amounts: to callers it is submitting. */
export type BeingResubmitted = Numbered & { status: 'being_resubmitted' };
/** `void`: the last request, which the authority refused. */
export type Submitted = Numbered & { status: 'submitted'; void: VoidRequest | null };
export type Voiding = Numbered & VoidingDocument;
export type Voided = Numbered & VoidedDocument;
/** `refused`: why a reversal took no number. */
export type VoidedDraft = Common & VoidedDocument & { issue: null; requests?: number; refused?: Details | null };

export type NumberedInvoice = Submitting | Failed | BeingResubmitted | Submitted | Voiding | Voided;
export type InvoiceState = Draft | BeingNumbered | NumberedInvoice | VoidedDraft;

export const isNumbered = (state: InvoiceState): state is NumberedInvoice => 'issue' in state && state.issue !== null;

/** Which of its submissions the last one was; 0: none. */
export const attemptOf = (state: InvoiceState): number => {
  if (isNumbered(state)) return state.attempt;
  return (state.status === 'being_numbered' ? state.request : state.requests) ?? 0;
};
