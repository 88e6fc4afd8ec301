import { cancellationRefused, cancelled, delayed, pending, registered, rejected } from '../../document/domain/fiscal.ts';
import type { ReceiptEvent } from './events.ts';
import type { Issued, NumberedReceipt, ReceiptFacts, ReceiptState, Voided, Voiding } from './state.ts';

type Data<Type extends ReceiptEvent['type']> = Extract<ReceiptEvent, { type: Type }>['data'];

/** null: no such receipt. The events of a stream come in an order that `decide` allows; that is not checked again. */
export function evolve(state: ReceiptState | null, event: ReceiptEvent): ReceiptState | null {
  if (event.type === 'ReceiptRequested') {
    const { at, personal: _, ...asked } = event.data;
    return { ...asked, status: 'being_numbered', created_at: at };
  }
  if (event.type === 'ReceiptIssued') return issued(event.data);
  if (event.type === 'ReceiptRefused') return { status: 'refused', details: event.data.details };
  return state && { ...next(state as NumberedReceipt, event), updated_at: event.data.at };
}

function issued({ at, number, seq, issued_at, issue_date, ...facts }: Data<'ReceiptIssued'>): Issued {
  return {
    ...facts,
    status: 'issued',
    issue: { number, seq, issued_at, issue_date },
    updated_at: at,
    round: 1,
    fiscal: pending(facts.parties.issuer.authority),
    void: null,
  };
}

function next(
  state: NumberedReceipt,
  event: Exclude<ReceiptEvent, { type: 'ReceiptRequested' | 'ReceiptRefused' | 'ReceiptIssued' }>,
): NumberedReceipt {
  switch (event.type) {
    case 'ReceiptResubmitted': {
      const { round, issuer } = event.data;
      return { ...state, round, parties: { ...state.parties, issuer }, fiscal: pending(issuer.authority, state.fiscal) };
    }
    case 'ReceiptRegistered':
      return { ...state, fiscal: registered(state.fiscal, event.data) };
    case 'ReceiptRejected':
      return { ...state, fiscal: rejected(state.fiscal, event.data) };
    case 'ReceiptDelayed':
      return { ...state, fiscal: delayed(state.fiscal, event.data) };
    case 'ReceiptVoidRequested':
      return voiding(state, event.data);
    case 'ReceiptVoided':
      return voided(state, event.data);
    case 'ReceiptVoidRefused':
      return voidRefused(state as Voiding, event.data);
    default:
      return event satisfies never;
  }
}

const numbered = ({ id, livemode, created_at, content, totals, parties, issue, updated_at, round, fiscal }: NumberedReceipt) => {
  const facts: ReceiptFacts = { id, livemode, created_at, content, totals, parties };
  return { ...facts, issue, updated_at, round, fiscal };
};

const voiding = (state: NumberedReceipt, { at, reason }: Data<'ReceiptVoidRequested'>): Voiding => ({
  ...numbered(state),
  status: 'voiding',
  void: { reason, requested_at: at, voided_at: null, refused: null },
  refused_before: state.void?.refused?.cancellation ?? null,
});

function voided(state: NumberedReceipt, { at, reason, cancelled: tried }: Data<'ReceiptVoided'>): Voided {
  const request =
    state.status === 'voiding' ? { ...state.void, voided_at: at } : { reason, requested_at: at, voided_at: at, refused: null };
  const fiscal = tried ? cancelled(state.fiscal, tried) : state.fiscal;
  return { ...numbered(state), status: 'voided', fiscal, void: request };
}

function voidRefused(state: Voiding, { error, refused_at: _, cancellation, ...tried }: Data<'ReceiptVoidRefused'>): Issued {
  const refused = { code: error.code, message: error.message, cancellation };
  return { ...numbered(state), status: 'issued', fiscal: cancellationRefused(state.fiscal, tried), void: { ...state.void, refused } };
}
