import { idOf } from '@svc/kernel';
import type { InvoiceEvent } from './events.ts';
import { fiscalEvent, isFiscalEvent, type FiscalEvent } from '../../document/domain/events.ts';
import { pending } from '../../document/domain/fiscal.ts';
import { afterFiscalEvent, voidedBy } from '../../document/domain/outcome.ts';
import { firstSeq } from '../../numbering/domain/numbering.ts';
import type { Correction, KnownCorrection } from './credits.ts';
import { paymentsAfter } from './payments.ts';
import {
  isNumbered,
  type BeingNumbered,
  type BeingResubmitted,
  type Draft,
  type Failed,
  type InvoiceState,
  type NumberedInvoice,
  type Submitted,
  type Submitting,
  type Voiding,
} from './state.ts';

type Data<Type extends InvoiceEvent['type']> = Extract<InvoiceEvent, { type: Type }>['data'];

/** null: no such invoice. The events of a stream come in an order that `decide` allows; that is not checked again. */
export function evolve(state: InvoiceState | null, event: InvoiceEvent): InvoiceState | null {
  if (isDrafted(event)) {
    const { at, id, livemode, content, totals } = event.data;
    const kind = event.type === 'InvoiceReversalDrafted' && { reversal: true as const };
    return { status: 'draft', id, livemode, created_at: at, updated_at: at, content, totals, refused: null, ...kind };
  }
  return state && { ...next(state, event), updated_at: event.data.at };
}

type Drafted = Extract<InvoiceEvent, { type: 'InvoiceDrafted' | 'InvoiceCorrectionDrafted' | 'InvoiceReversalDrafted' }>;
const DRAFTED: readonly InvoiceEvent['type'][] = ['InvoiceDrafted', 'InvoiceCorrectionDrafted', 'InvoiceReversalDrafted'];
/** The first of an invoice. */
const isDrafted = (event: InvoiceEvent): event is Drafted => DRAFTED.includes(event.type);

function next(state: InvoiceState, event: Exclude<InvoiceEvent, Drafted>): InvoiceState {
  if (isFiscalEvent('Invoice', event)) return settled(state, fiscalEvent('Invoice', event));
  switch (event.type) {
    case 'InvoiceRevised':
      return { ...state, content: { ...state.content, ...event.data.changes }, totals: event.data.totals ?? state.totals };
    case 'InvoiceSubmissionRequested': {
      const { numbering, parties, late_reason, corrected } = event.data;
      const request = ((state as Draft).requests ?? 0) + 1;
      return { ...common(state), status: 'being_numbered', numbering, request, parties, late_reason, ...(corrected && { corrected }) };
    }
    case 'InvoiceSubmissionRefused':
      return { ...common(state), status: 'draft', refused: event.data.details, requests: (state as BeingNumbered).request };
    case 'InvoiceNumbered':
      return numbered(state as BeingNumbered, event.data);
    case 'InvoiceResubmitted':
      return resubmitted(state as Failed | BeingResubmitted, event.data);
    case 'InvoicePaymentRecorded':
    case 'InvoicePaymentReversed':
      return { ...(state as Submitted), payments: paymentsAfter((state as Submitted).payments, event) };
    case 'InvoiceResubmissionRequested': {
      const { refused: _, ...kept } = state as Failed;
      return { ...kept, status: 'being_resubmitted', attempt: kept.attempt + 1, late_reason: event.data.late_reason };
    }
    case 'InvoiceResubmissionRefused':
      return { ...(state as BeingResubmitted), status: 'failed', refused: event.data.details };
    case 'InvoiceCorrectionReserved':
      return corrected(state, { ...correctionIn(event.data), status: 'reserved' });
    case 'InvoiceCorrectionRefused':
      return corrected(state, { ...correctionIn(event.data), status: 'refused', details: event.data.details });
    case 'InvoiceCorrectionApplied':
      return corrected(state, { ...knownIn(state, event.data.document), status: 'applied' });
    case 'InvoiceCorrectionReleased':
      return corrected(state, { ...knownIn(state, event.data.document), status: 'released' });
    default:
      return event satisfies never;
  }
}

const common = ({ id, livemode, created_at, updated_at, content, totals, reversal }: InvoiceState) => ({
  id,
  livemode,
  created_at,
  updated_at,
  content,
  totals,
  ...(reversal && { reversal }),
});

function numbered(state: BeingNumbered, { number, seq, issued_at, issue_date, parties }: Data<'InvoiceNumbered'>): Submitting {
  const { late_reason, corrected } = state;
  return {
    ...common(state),
    status: 'submitting',
    content: { ...state.content, issue_date },
    issue: { number, seq, issued_at },
    series_key: idOf(state.numbering.stream),
    first_seq: firstSeq(state.numbering.first, seq),
    attempt: state.request,
    round: 1,
    parties,
    fiscal: pending(parties.issuer.authority),
    late_reason,
    ...(corrected && { corrected }),
  };
}

const correctionIn = ({ document, type, attempt, total, net, portion }: Data<'InvoiceCorrectionReserved'>): Correction => ({
  ...{ document, type, attempt, total, net },
  ...(portion && { portion }),
});

const knownIn = (state: InvoiceState, document: string): KnownCorrection =>
  ((state as NumberedInvoice).corrections ?? {})[document] as KnownCorrection;

/** Only what has its number can be corrected. */
function corrected(state: InvoiceState, correction: KnownCorrection): InvoiceState {
  const { corrections, ...kept } = state as NumberedInvoice;
  return { ...kept, corrections: { ...corrections, [correction.document]: correction } } as NumberedInvoice;
}

const resubmitted = (
  { refused: _, ...state }: Failed | (BeingResubmitted & { refused?: never }),
  { round, parties, late_reason }: Data<'InvoiceResubmitted'>,
): Submitting => ({
  ...state,
  status: 'submitting',
  round,
  parties,
  fiscal: pending(parties.issuer.authority, state.fiscal),
  late_reason,
});

/** null: the status stays. */
const statuses = {
  Prepared: 'submitting',
  Registered: 'submitted',
  Amended: null,
  Rejected: 'failed',
  Delayed: 'submitting',
  VoidRequested: 'voiding',
  Voided: 'voided',
  VoidRefused: 'submitted',
  ReversalRequested: 'voiding',
  ReversalRefused: 'submitted',
} as const satisfies Record<FiscalEvent['type'], InvoiceState['status'] | null>;

/** A draft has no number: it can be voided, and nothing else of these. */
function settled(state: InvoiceState, event: FiscalEvent): InvoiceState {
  if (!isNumbered(state))
    return {
      ...common(state),
      ...requestsOf(state as Draft),
      ...(state.reversal && { refused: (state as Draft).refused }),
      status: 'voided',
      issue: null,
      void: voidedBy(event.data as Data<'InvoiceVoided'>, null),
    };
  const status = statuses[event.type];
  if (status === null) return { ...state, ...afterFiscalEvent(state, event) } as NumberedInvoice;
  const { refused_before: _, numbering: _1, ...kept } = state as Voiding;
  return { ...kept, ...afterFiscalEvent(state, event), status } as NumberedInvoice;
}

const requestsOf = ({ requests }: Draft): { requests?: number } => (requests === undefined ? {} : { requests });
