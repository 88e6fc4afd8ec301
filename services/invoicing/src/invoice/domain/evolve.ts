import type { InvoiceEvent } from './events.ts';
import { cancellationRefused, cancelled, delayed, pending, registered, rejected } from '../../document/domain/fiscal.ts';
import type { FrozenParties } from '../../document/domain/parties.ts';
import type { BeingNumbered, Draft, Failed, InvoiceState, NumberedInvoice, Submitted, Submitting, Voiding } from './state.ts';

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
    case 'InvoiceRegistered':
      return { ...(state as Submitting), status: 'submitted', fiscal: registered((state as Submitting).fiscal, event.data), void: null };
    case 'InvoiceRejected':
      return { ...(state as Submitting), status: 'failed', fiscal: rejected((state as Submitting).fiscal, event.data) };
    case 'InvoiceDelayed':
      return { ...(state as Submitting), fiscal: delayed((state as Submitting).fiscal, event.data) };
    case 'InvoiceVoidRequested':
      return voiding(state as Submitted, event.data);
    case 'InvoiceVoided':
      return voided(state, event.data);
    case 'InvoiceVoidRefused':
      return voidRefused(state as Voiding, event.data);
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

const voiding = (state: Submitted, { at, reason }: Data<'InvoiceVoidRequested'>): Voiding => ({
  ...state,
  status: 'voiding',
  void: { reason, requested_at: at, voided_at: null, refused: null },
  refused_before: state.void?.refused?.cancellation ?? null,
});

function voided(state: InvoiceState, { at, reason, cancelled: tried }: Data<'InvoiceVoided'>): InvoiceState {
  const request =
    state.status === 'voiding' ? { ...state.void, voided_at: at } : { reason, requested_at: at, voided_at: at, refused: null };
  if (!('issue' in state) || state.issue === null) return { ...common(state), status: 'voided', issue: null, void: request };
  const { issue, round, parties, late_reason, fiscal }: NumberedInvoice = state;
  const registration = tried ? cancelled(fiscal, tried) : fiscal;
  return { ...common(state), status: 'voided', issue, round, parties, late_reason, fiscal: registration, void: request };
}

function voidRefused(state: Voiding, { error, refused_at: _, cancellation, ...tried }: Data<'InvoiceVoidRefused'>): Submitted {
  const { issue, round, parties, late_reason, fiscal } = state;
  const refused = { ...error, cancellation };
  return {
    ...common(state),
    status: 'submitted',
    issue,
    round,
    parties,
    late_reason,
    fiscal: cancellationRefused(fiscal, tried),
    void: { ...state.void, refused },
  };
}
