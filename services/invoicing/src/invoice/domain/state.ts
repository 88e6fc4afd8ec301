import type { Day, Details } from '@svc/kernel';
import type { IssuerState } from '../../issuer/domain/state.ts';
import type { Numbering } from '../../series/domain/numbering.ts';
import type { Item } from '../../totals/given.ts';
import type { DocumentAdjustment, Totals } from '../../totals/terms.ts';
import type { Fiscal } from '../../document/domain/fiscal.ts';
import type { Issue, Voided as VoidedDocument, VoidRequest, Voiding as VoidingDocument } from '../../document/domain/state.ts';
import type { FrozenCustomer, FrozenParties, NamedCustomer } from '../../document/domain/parties.ts';

/** What callers write of an invoice, every default filled in. */
export interface InvoiceContent {
  type: 'standard';
  customer_id: string;
  items: Item[];
  discounts: DocumentAdjustment[];
  charges: DocumentAdjustment[];
  currency: string;
  prices_include_tax: boolean;
  rounding: IssuerState['rounding'];
  series: string;
  /** null: the day of numbering; from then on that day. */
  issue_date: Day | null;
  due_date: Day | null;
  corrects: null;
  notes: string | null;
  metadata: Record<string, string>;
}

interface Common {
  id: string;
  livemode: boolean;
  created_at: string;
  updated_at: string;
  content: InvoiceContent;
  totals: Totals;
}

/** It has its number, and goes or went to the authority. */
interface Numbered extends Common {
  issue: Issue;
  /** Counts the submissions, from 1. */
  round: number;
  /** As of the last submission. */
  parties: FrozenParties;
  fiscal: Fiscal;
  late_reason: string | null;
}

export interface Draft extends Common {
  status: 'draft';
  /** Why the last submission took no number. */
  refused: Details | null;
  /** How often a number was asked for so far, where it was. */
  requests?: number;
}
/** Submission was asked for, the number is being taken: to the outside it is submitting. Nothing else can happen to it. */
export interface BeingNumbered extends Common {
  status: 'being_numbered';
  numbering: Numbering;
  /** Which time a number is asked for, from 1: what answers an earlier one is not about this. */
  request: number;
  /** The customer's personal data stand in the stream alone, so that erasing them leaves no copy. Asked for by an earlier release: in clear here. */
  parties: FrozenParties<NamedCustomer | FrozenCustomer>;
  late_reason: string | null;
  /** Asked for by an earlier release (v1), whose replicas may be numbering it too. */
  earlier_release?: boolean;
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
