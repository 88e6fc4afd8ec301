import type { PaymentMethod } from '@svc/contracts/document/vocabulary';
import type { Day, Details } from '@svc/kernel';
import type { Fiscal } from '../../document/domain/fiscal.ts';
import type { FrozenCustomer, FrozenParties, NamedCustomer } from '../../document/domain/parties.ts';
import type { Issue, Voided as VoidedDocument, VoidRequest, Voiding as VoidingDocument } from '../../document/domain/state.ts';
import type { Numbering } from '../../series/domain/numbering.ts';
import type { Item } from '../../totals/given.ts';
import type { DocumentAdjustment, Terms, Totals } from '../../totals/terms.ts';

/** What callers write of a receipt, every default filled in. It never changes. */
export interface ReceiptContent {
  customer_id: string | null;
  items: Item[];
  /** Receipts have none of their own. */
  discounts: DocumentAdjustment[];
  charges: DocumentAdjustment[];
  currency: string;
  prices_include_tax: boolean;
  rounding: Terms['rounding'];
  series: string;
  /** Codes of the issuer's. */
  unit: string | null;
  device: string | null;
  operator: string | null;
  /** null: paid in several ways. */
  payment_method: PaymentMethod | null;
  /** They add up to the total. */
  payments: { method: PaymentMethod; amount: string }[];
  notes: string | null;
  metadata: Record<string, string>;
}

/** What is fixed before the number is. */
export interface ReceiptFacts {
  id: string;
  livemode: boolean;
  created_at: string;
  content: ReceiptContent;
  totals: Totals;
  parties: FrozenParties<FrozenCustomer | null>;
}

/** The same before it is a legal record: the customer's personal data stand in the stream alone. Asked for by an earlier release: in clear here. */
export interface RequestedFacts extends Omit<ReceiptFacts, 'parties'> {
  parties: FrozenParties<NamedCustomer | FrozenCustomer | null>;
}

/** Asked for, its number is being taken: nobody has seen it yet. */
export interface BeingNumbered extends RequestedFacts {
  status: 'being_numbered';
  numbering: Numbering;
  /** Asked for by an earlier release (v1), whose replicas may be numbering it too. */
  earlier_release?: boolean;
}
/** It took no number, for ever: whoever asked is told why, and nobody else sees it. */
export interface Refused {
  status: 'refused';
  details: Details;
}

interface Numbered extends ReceiptFacts {
  issue: Issue & { issue_date: Day };
  updated_at: string;
  /** Counts the submissions, from 1. */
  round: number;
  fiscal: Fiscal;
}

export interface Issued extends Numbered {
  status: 'issued';
  /** The last one, which the authority refused. */
  void: VoidRequest | null;
}
/** While its registration is open the request is kept: once registered it is cancelled, once rejected it is void. */
export interface Voiding extends Numbered, VoidingDocument {
  status: 'voiding';
}
export interface Voided extends Numbered, VoidedDocument {
  status: 'voided';
}

export type NumberedReceipt = Issued | Voiding | Voided;
export type ReceiptState = BeingNumbered | Refused | NumberedReceipt;

export const isNumbered = (state: ReceiptState | null): state is NumberedReceipt => state !== null && 'issue' in state;
