import type { PaymentMethod } from '@svc/contracts/document/vocabulary';
import type { Day, Details } from '@svc/kernel';
import type {
  BeingNumbered as DocumentBeingNumbered,
  DocumentContent,
  Issue,
  NumberedDocument,
  Voided as VoidedDocument,
  VoidRequest,
  Voiding as VoidingDocument,
  Written,
  CorrectedDocument,
} from '../../document/domain/state.ts';
import type { FrozenCustomer, FrozenParties, NamedCustomer } from '../../document/domain/parties.ts';

/** What callers write of a receipt, every default filled in. It never changes; discounts and charges are those of its lines alone. */
export interface ReceiptContent extends DocumentContent {
  customer_id: string | null;
  /** Codes of the issuer's. */
  unit: string | null;
  device: string | null;
  operator: string | null;
  /** null: paid in several ways. */
  payment_method: PaymentMethod | null;
  /** They add up to the total. */
  payments: { method: PaymentMethod; amount: string }[];
  /** The receipt whose void it carries out. Absent: none. */
  corrects?: string;
}

/** What is fixed before the number is. */
export interface ReceiptFacts extends Written<ReceiptContent> {
  /** Of a corrective. */
  corrected?: CorrectedDocument;
  parties: FrozenParties<FrozenCustomer | null>;
  /** Why it is sent after its time. Absent: null. */
  late_reason?: string | null;
}

/** The same before it is a legal record: the customer's personal data stand in the stream alone. Of a corrective: in clear. */
export interface RequestedFacts extends Written<ReceiptContent> {
  corrected?: CorrectedDocument;
  parties: FrozenParties<NamedCustomer | FrozenCustomer | null>;
  late_reason?: string | null;
}

/** Nobody has seen it yet. */
export interface BeingNumbered extends RequestedFacts, DocumentBeingNumbered<null> {
  parties: RequestedFacts['parties'];
}
/** It took no number, for ever: the caller gets the reason, and no one else sees it. */
export interface Refused {
  status: 'refused';
  details: Details;
  /** The receipt whose void it was to carry out. */
  corrects?: string | undefined;
}

interface Numbered extends NumberedDocument<ReceiptContent> {
  corrected?: CorrectedDocument;
  late_reason?: string | null;
  issue: Issue & { issue_date: Day };
}

/** `void`: the last request, which the authority refused. */
export type Issued = Numbered & { status: 'issued'; void: VoidRequest | null };
/** While its registration is open the request is kept: once registered it is cancelled, or a corrective takes it back; once rejected it is void. */
export type Voiding = Numbered & VoidingDocument;
export type Voided = Numbered & VoidedDocument;

export type NumberedReceipt = Issued | Voiding | Voided;
export type ReceiptState = BeingNumbered | Refused | NumberedReceipt;

export const isNumbered = (state: ReceiptState | null): state is NumberedReceipt => state !== null && 'issue' in state;
