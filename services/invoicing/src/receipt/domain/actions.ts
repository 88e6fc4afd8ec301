import { type ReceiptAction, receiptActions } from '@svc/contracts/receipt/vocabulary';
import { invalidState } from '@svc/kernel';
import { isInDoubt } from '../../document/domain/fiscal.ts';
import type { NumberedReceipt } from './state.ts';

/** Rejected for what is not in the receipt: fixed there, the same receipt can be sent again. */
const isFixedElsewhere = ({ fiscal }: NumberedReceipt): boolean =>
  fiscal.status === 'rejected' && (fiscal.error?.fixable === 'credentials' || fiscal.error?.fixable === 'setup');

/** By action: why it is refused now, in whole sentences that say what to do. An action without a reason is possible. */
export type Unavailable = Partial<Record<ReceiptAction, string>>;

/** What is refused in the state that the receipt has: the decider refuses by it, and callers are offered the rest. Metadata can always be changed. */
export function unavailableActions(state: NumberedReceipt): Unavailable {
  const { status, fiscal, content } = state;
  const resolve: Unavailable = isInDoubt(fiscal) && status !== 'voided' ? {} : { resolve: 'Nothing is in doubt.' };
  if (content.corrects !== undefined) return { resubmit: REVERSAL, void: REVERSAL, ...resolve };
  switch (status) {
    case 'issued':
      return { ...(isFixedElsewhere(state) ? {} : { resubmit: notAgain[fiscal.status] }), ...resolve };
    case 'voiding':
      return { resubmit: VOIDING, void: VOIDING, ...resolve };
    case 'voided':
      return { resubmit: VOIDED, void: 'It is void already.', ...resolve };
    default:
      return status satisfies never;
  }
}

/** What can be done now: all that is not unavailable. */
export const availableActions = (state: NumberedReceipt): ReceiptAction[] => {
  const unavailable = unavailableActions(state);
  return receiptActions.filter((action) => unavailable[action] === undefined);
};

/** The reasons that callers are shown: those that do not follow from the status. undefined: none. */
export function shownReasons(state: NumberedReceipt): Unavailable | undefined {
  const { status, fiscal, content } = state;
  if (status !== 'issued' || content.corrects !== undefined || fiscal.status !== 'rejected' || isFixedElsewhere(state)) return undefined;
  return { resubmit: notAgain.rejected };
}

/** Throws invalid_state, with the reason, where the action is not available. */
export function checkAvailable(state: NumberedReceipt, action: ReceiptAction, what: string): void {
  const why = unavailableActions(state)[action];
  if (why !== undefined) throw invalidState(what, state.status, availableActions(state), why);
}

const UNDER_WAY = 'Its registration is under way. Wait for the answer of the authority.';
const notAgain: Record<NumberedReceipt['fiscal']['status'], string> = {
  pending: UNDER_WAY,
  unknown: 'Its registration is in doubt. Wait for the answer of the authority, or resolve it.',
  needs_review: 'Its registration is in doubt. Resolve it.',
  registered: 'It is registered already.',
  cancelled: 'Its registration is cancelled. Issue another receipt.',
  rejected: 'It was rejected for its data. Void it and issue it anew.',
};
const VOIDING = 'It is being voided. Wait for the outcome.';
const VOIDED = 'It is void. Issue another receipt.';
const REVERSAL = 'It carries out the void of the receipt that it corrects: only its metadata can be changed.';
