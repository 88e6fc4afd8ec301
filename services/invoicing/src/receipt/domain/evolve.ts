import { fiscalEvent, isFiscalEvent, type FiscalEvent } from '../../document/domain/events.ts';
import { pending } from '../../document/domain/fiscal.ts';
import { afterFiscalEvent } from '../../document/domain/outcome.ts';
import { firstSeq } from '../../numbering/domain/numbering.ts';
import { idOf } from '@svc/kernel';
import type { ReceiptEvent } from './events.ts';
import type { BeingNumbered, Issued, NumberedReceipt, ReceiptState, Voiding } from './state.ts';

type Data<Type extends ReceiptEvent['type']> = Extract<ReceiptEvent, { type: Type }>['data'];

/** null: no such receipt. The events of a stream come in an order that `decide` allows; that is not checked again. */
export function evolve(state: ReceiptState | null, event: ReceiptEvent): ReceiptState | null {
  if (event.type === 'ReceiptRequested') {
    const { at, personal: _, ...asked } = event.data;
    return { ...asked, status: 'being_numbered', created_at: at };
  }
  if (event.type === 'ReceiptReversalDrafted') {
    const { at, ...asked } = event.data;
    return { ...asked, status: 'being_numbered', created_at: at };
  }
  if (event.type === 'ReceiptIssued' || event.type === 'ReceiptReversalIssued') return issued(event.data, state as BeingNumbered | null);
  if (event.type === 'ReceiptRefused') {
    const { details, corrects } = event.data;
    return { status: 'refused', details, ...(corrects !== undefined && { corrects }) };
  }
  return state && { ...next(state as NumberedReceipt, event), updated_at: event.data.at };
}

function issued({ at, number, seq, issued_at, issue_date, ...facts }: Data<'ReceiptIssued'>, before: BeingNumbered | null): Issued {
  return {
    ...facts,
    status: 'issued',
    issue: { number, seq, issued_at, issue_date },
    ...(before && { series_key: idOf(before.numbering.stream), first_seq: firstSeq(before.numbering.first, seq) }),
    updated_at: at,
    round: 1,
    fiscal: pending(facts.parties.issuer.authority),
    void: null,
  };
}

/** null: the status stays. */
const statuses = {
  Prepared: null,
  Registered: null,
  Amended: null,
  Rejected: null,
  Delayed: null,
  VoidRequested: 'voiding',
  Voided: 'voided',
  VoidRefused: 'issued',
  ReversalRequested: 'voiding',
  ReversalRefused: 'issued',
} as const satisfies Record<FiscalEvent['type'], NumberedReceipt['status'] | null>;

function next(
  state: NumberedReceipt,
  event: Exclude<ReceiptEvent, { type: `Receipt${'Requested' | 'ReversalDrafted' | 'Refused' | 'Issued' | 'ReversalIssued'}` }>,
): NumberedReceipt {
  if (isFiscalEvent('Receipt', event)) {
    const happened = fiscalEvent('Receipt', event);
    const status = statuses[happened.type] ?? state.status;
    const { refused_before, numbering, ...kept } = state as Voiding;
    const changes = afterFiscalEvent(state, happened);
    return {
      ...kept,
      ...(status === 'voiding' && { refused_before, ...(numbering && { numbering }) }),
      ...changes,
      status,
    } as NumberedReceipt;
  }
  const { round, issuer, late_reason } = event.data;
  const { late_reason: _, ...kept } = state;
  return {
    ...kept,
    round,
    ...(late_reason !== undefined && { late_reason }),
    parties: { ...state.parties, issuer },
    fiscal: pending(issuer.authority, state.fiscal),
  };
}
