import { vocabulary } from '../schema/vocabulary.ts';
import type { Transition } from '../document/transition.ts';

export const receiptStatuses = vocabulary('ReceiptStatus', ['issued', 'voiding', 'voided']);
export type ReceiptStatus = (typeof receiptStatuses)[number];

export const receiptTypes = vocabulary('ReceiptType', ['receipt', 'corrective']);
export type ReceiptType = (typeof receiptTypes)[number];

export const receiptActions = vocabulary('ReceiptAction', ['resubmit', 'void', 'resolve']);
export type ReceiptAction = (typeof receiptActions)[number];

/** Every change of a receipt’s status, and what changes its registration. The registration itself shows in `fiscal`. */
export const receiptTransitions = [
  { from: [], by: '`POST /v1/receipts`', to: 'issued', event: 'receipt.created' },
  { from: ['issued', 'voiding'], by: 'the authority registers it, or has not answered; `fiscal` says which', to: 'same', event: null },
  {
    from: ['issued', 'voiding'],
    by: 'another record replaces the one that the authority found wrong; `fiscal.warnings` says what still is',
    to: 'same',
    event: null,
  },
  { from: ['issued'], by: 'the authority rejects it; `fiscal.error` says why', to: 'same', event: null },
  { from: ['issued'], by: '`POST /v1/receipts/{id}/resubmit`, once `credentials` or `setup` are fixed', to: 'same', event: null },
  { from: ['issued'], by: '`POST /v1/receipts/{id}/void`', to: 'voiding', event: null },
  { from: ['issued'], by: '`POST /v1/receipts/{id}/void` of a rejected receipt', to: 'voided', event: 'receipt.voided' },
  { from: ['voiding'], by: 'the authority confirms the void, or rejects the receipt itself', to: 'voided', event: 'receipt.voided' },
  { from: ['voiding'], by: 'the authority refuses; `void.error` says why', to: 'issued', event: null },
] as const satisfies readonly Transition<ReceiptStatus>[];
