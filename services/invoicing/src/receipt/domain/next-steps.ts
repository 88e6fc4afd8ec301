import type { Recorded } from '@svc/kernel';
import { isBeingReversed } from '../../document/domain/outcome.ts';
import { unnumbered, type ReversalEnd } from '../../document/domain/reversal.ts';
import type { ReceiptEvent, Settles } from './events.ts';
import type { ReceiptState } from './state.ts';

/** `corrects`: the receipt that a corrective takes back, to which its outcome is reported. */
export type ReceiptStep = { do: 'take_number' } | { do: 'reverse' } | { do: 'report'; corrects: string; end: ReversalEnd };

/** A caller waits for what comes of its request. */
export const isAsking = ({ status }: ReceiptState): boolean => status === 'being_numbered';

/** Once the receipt has the report, nothing is stored in the corrective: it is due again at each look, and changes nothing. */
export function dueSteps(state: ReceiptState): ReceiptStep[] {
  if (state.status === 'being_numbered') return [{ do: 'take_number' }];
  if (state.status === 'refused') {
    const { corrects, details } = state;
    return corrects === undefined ? [] : [{ do: 'report', corrects, end: { error: unnumbered(details) } }];
  }
  if (isBeingReversed(state)) return [{ do: 'reverse' }];
  const { corrects } = state.content;
  if (corrects === undefined) return [];
  const { status, error } = state.fiscal;
  if (status === 'registered') return [{ do: 'report', corrects, end: { error: null, issue_date: state.issue.issue_date } }];
  if (status !== 'rejected') return [];
  const { code = 'rejected', message = 'The corrective was rejected.' } = error ?? {};
  return [{ do: 'report', corrects, end: { error: { code, message } } }];
}

/** The corrective of a void is a receipt of its own, whose events say how far it is. A void that was requested before the registration goes on after it. */
export function afterEvent({ type, data }: Pick<Recorded, 'type' | 'data'>): 'open' | 'done' | undefined {
  const { corrects, reversal } = data as Settles;
  switch (type as ReceiptEvent['type']) {
    case 'ReceiptRequested':
    case 'ReceiptReversalDrafted':
    case 'ReceiptReversalRequested':
      return 'open';
    case 'ReceiptRegistered':
      return corrects !== undefined || reversal !== undefined ? 'open' : undefined;
    case 'ReceiptRejected':
      return corrects === undefined ? undefined : 'open';
    case 'ReceiptRefused':
      return corrects === undefined ? 'done' : 'open';
    case 'ReceiptIssued':
    case 'ReceiptReversalIssued':
    case 'ReceiptVoided':
    case 'ReceiptReversalRefused':
      return 'done';
    default:
      return undefined;
  }
}
