import type { ReceiptAction } from '@svc/contracts/receipt/vocabulary';
import { isInDoubt } from '../../document/domain/fiscal.ts';
import type { NumberedReceipt } from './state.ts';

/** Rejected for what is not in the receipt: mended there, the same receipt can be sent again. */
export const canBeResubmitted = ({ status, fiscal }: NumberedReceipt): boolean =>
  status === 'issued' && fiscal.status === 'rejected' && (fiscal.error?.fixable === 'credentials' || fiscal.error?.fixable === 'setup');

/** What can be done now. */
export const availableActions = (state: NumberedReceipt): ReceiptAction[] => [
  ...(canBeResubmitted(state) ? (['resubmit'] as const) : []),
  ...(state.status === 'issued' ? (['void'] as const) : []),
  ...(isInDoubt(state.fiscal) && state.status !== 'voided' ? (['resolve'] as const) : []),
];
