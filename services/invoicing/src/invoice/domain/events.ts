import { storedEvents, type Details } from '@svc/kernel';
import type { Numbering } from '../../numbering/domain/numbering.ts';
import type { Totals } from '@svc/totals/terms';
import { fiscalEventVersions, type At, type FiscalEventOf } from '../../document/domain/events.ts';
import type { CorrectedDocument } from '../../document/domain/state.ts';
import type { FrozenCustomer, FrozenParties, NamedCustomer, PersonalPart } from '../../document/domain/parties.ts';
import type { Correction } from './credits.ts';
import type { PaymentEvent } from './payments.ts';
import type { InvoiceContent } from './state.ts';

/** Of a correction: the invoice that it corrects is informed next. */
export interface Settles {
  corrects?: string;
}

/** What never changes. */
type Fixed = 'type' | 'corrects';
interface StandardContent extends Omit<InvoiceContent, Fixed> {
  type: 'standard';
  corrects: null;
}
interface CorrectionContent extends Omit<InvoiceContent, Fixed> {
  type: 'credit_note' | 'corrective';
  corrects: string;
}

export type InvoiceEvent =
  | At<'InvoiceDrafted', { id: string; livemode: boolean; content: StandardContent; totals: Totals }>
  /** A credit note or corrective: a type of its own, because releases that know nothing of the original must not number it. */
  | At<'InvoiceCorrectionDrafted', { id: string; livemode: boolean; content: CorrectionContent; totals: Totals }>
  /** The corrective by which the invoice that it corrects is voided: only the process manager submits it, and it takes no amounts of the original. */
  | At<'InvoiceReversalDrafted', { id: string; livemode: boolean; content: CorrectionContent; totals: Totals }>
  /** The fields that changed, whole; the totals where they did. */
  | At<'InvoiceRevised', { changes: Partial<Omit<InvoiceContent, Fixed>>; totals?: Totals }>
  /**
   * The number is taken next, in a series of its own: see series/numbering.ts. `personal` is encrypted; it is absent of a reversal, whose parties are a
   * legal record already.
   */
  | At<
      'InvoiceSubmissionRequested',
      {
        numbering: Numbering;
        parties: FrozenParties<NamedCustomer | FrozenCustomer>;
        personal?: PersonalPart | null;
        late_reason: string | null;
        /** Absent of what corrects nothing, and before 0.2. */
        corrected?: CorrectedDocument;
      }
    >
  /** No number was taken: the series has gone beyond the given issue date, its numbers are another's, the customer was erased, or the original has not enough left. */
  | At<'InvoiceSubmissionRefused', { details: Details } & Settles>
  /** `parties`: a legal record from now on, in clear. */
  | At<'InvoiceNumbered', { number: string; seq: number; issued_at: string; issue_date: string; parties: FrozenParties }>
  /** After a rejection, under the number it has. */
  | At<'InvoiceResubmitted', { round: number; parties: FrozenParties; late_reason: string | null }>
  | PaymentEvent
  /** Of a rejected correction: its original is to hold its amounts. */
  | At<'InvoiceResubmissionRequested', { late_reason: string | null }>
  | At<'InvoiceResubmissionRefused', { details: Details } & Settles>
  /** On the original: the amounts that a correction takes, held before it gets its number. */
  | At<'InvoiceCorrectionReserved', Correction>
  /** Stored, because another process may be submitting the same correction: all come to the same answer. */
  | At<'InvoiceCorrectionRefused', Correction & { details: Details }>
  /** It is registered. */
  | At<'InvoiceCorrectionApplied', Pick<Correction, 'document' | 'attempt'>>
  /** It got no number, was rejected or is void. */
  | At<'InvoiceCorrectionReleased', Pick<Correction, 'document' | 'attempt'>>
  | (FiscalEventOf<'Invoice'> & { data: Settles });

/** Version of each shape as it is written today. */
export const invoiceEventVersions: Record<InvoiceEvent['type'], number> = {
  InvoiceDrafted: 1,
  InvoiceCorrectionDrafted: 1,
  InvoiceReversalDrafted: 1,
  InvoiceRevised: 1,
  InvoiceSubmissionRequested: 2,
  InvoiceSubmissionRefused: 1,
  InvoiceNumbered: 2,
  InvoiceResubmitted: 1,
  InvoicePaymentRecorded: 1,
  InvoicePaymentReversed: 1,
  InvoiceResubmissionRequested: 1,
  InvoiceResubmissionRefused: 1,
  InvoiceCorrectionReserved: 1,
  InvoiceCorrectionRefused: 1,
  InvoiceCorrectionApplied: 1,
  InvoiceCorrectionReleased: 1,
  ...fiscalEventVersions('Invoice'),
};

/** Stored JSON to today's events. A shape that changes gets its step here (`'InvoiceNumbered.2': (data) => …`) and a spec with the old JSON. */
export const invoiceEvents = storedEvents<InvoiceEvent>(invoiceEventVersions);
