import type { InvoiceEvent } from './events.ts';
import { fiscalEvent, isFiscalEvent, type FiscalEvent } from '../../document/domain/events.ts';
import { pending } from '../../document/domain/fiscal.ts';
import { afterFiscalEvent, voidedBy } from '../../document/domain/outcome.ts';
import type { FrozenParties } from '../../document/domain/parties.ts';
import { paymentsAfter } from './payments.ts';
import {
  isNumbered,
  type BeingNumbered,
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
  if (event.type === 'InvoiceDrafted') {
    const { at, id, livemode, content, totals } = event.data;
    return { status: 'draft', id, livemode, created_at: at, updated_at: at, content, totals, refused: null };
  }
  return state && { ...next(state, event), updated_at: event.data.at };
}

function next(state: InvoiceState, event: Exclude<InvoiceEvent, { type: 'InvoiceDrafted' }>): InvoiceState {
  if (isFiscalEvent('Invoice', event)) return settled(state, fiscalEvent('Invoice', event));
  switch (event.type) {
    case 'InvoiceRevised':
      return { ...state, content: { ...state.content, ...event.data.changes }, totals: event.data.totals ?? state.totals };
    case 'InvoiceSubmissionRequested': {
      const { numbering, parties, late_reason, earlier_release } = event.data;
      const request = ((state as Draft).requests ?? 0) + 1;
      const asked = { numbering, request, parties, late_reason, ...(earlier_release && { earlier_release }) };
      return { ...common(state), status: 'being_numbered', ...asked };
    }
    case 'InvoiceSubmissionRefused':
      return { ...common(state), status: 'draft', refused: event.data.details, requests: (state as BeingNumbered).request };
    case 'InvoiceNumbered':
      return numbered(state as BeingNumbered, event.data);
    case 'InvoiceResubmitted':
      return resubmitted(state as Failed, event.data);
    case 'InvoicePaymentRecorded':
    case 'InvoicePaymentReversed':
      return { ...(state as Submitted), payments: paymentsAfter((state as Submitted).payments, event) };
    default:
      return event satisfies never;
  }
}

const common = ({ id, livemode, created_at, updated_at, content, totals }: InvoiceState) => ({
  id,
  livemode,
  created_at,
  updated_at,
  content,
  totals,
});

function numbered(state: BeingNumbered, { number, seq, issued_at, issue_date, parties: own }: Data<'InvoiceNumbered'>): Submitting {
  const { late_reason } = state;
  const parties = own ?? (state.parties as FrozenParties);
  return {
    ...common(state),
    status: 'submitting',
    content: { ...state.content, issue_date },
    issue: { number, seq, issued_at },
    round: 1,
    parties,
    fiscal: pending(parties.issuer.authority),
    late_reason,
  };
}

const resubmitted = (state: Failed, { round, parties, late_reason }: Data<'InvoiceResubmitted'>): Submitting => ({
  ...state,
  status: 'submitting',
  round,
  parties,
  fiscal: pending(parties.issuer.authority, state.fiscal),
  late_reason,
});

const statuses = {
  Registered: 'submitted',
  Rejected: 'failed',
  Delayed: 'submitting',
  VoidRequested: 'voiding',
  Voided: 'voided',
  VoidRefused: 'submitted',
} as const satisfies Record<FiscalEvent['type'], InvoiceState['status']>;

/** A draft has no number: it can be voided, and nothing else of these. */
function settled(state: InvoiceState, event: FiscalEvent): InvoiceState {
  if (!isNumbered(state))
    return { ...common(state), status: 'voided', issue: null, void: voidedBy(event.data as Data<'InvoiceVoided'>, null) };
  const { refused_before: _, ...kept } = state as Voiding;
  return { ...kept, ...afterFiscalEvent(state, event), status: statuses[event.type] } as NumberedInvoice;
}
