import type { ReceiptAction } from '@svc/contracts/receipt/vocabulary';
import { isInDoubt } from '../../document/domain/fiscal.ts';
import type { NumberedReceipt } from './state.ts';

/** Rejected for what is not in the receipt: fixed there, the same receipt can be sent again. */
export const canBeResubmitted = ({ status, fiscal, content }: NumberedReceipt): boolean =>
  status === 'issued' &&
  content.corrects === undefined &&
  fiscal.status === 'rejected' &&
  (fiscal.error?.fixable === 'credentials' || fiscal.error?.fixable === 'setup');

/** What can be done now. With a corrective, which carries out a void, a person can end a doubt alone. */
export const availableActions = (state: NumberedReceipt): ReceiptAction[] => [
  ...(canBeResubmitted(state) ? (['resubmit'] as const) : []),
  ...(state.status === 'issued' && state.content.corrects === undefined ? (['void'] as const) : []),
  ...(isInDoubt(state.fiscal) && state.status !== 'voided' ? (['resolve'] as const) : []),
];
