import type { InvoiceAction } from '@svc/contracts/invoice/vocabulary';
import { invalidState, type DomainError } from '@svc/kernel';
import { isInDoubt } from '../../document/domain/fiscal.ts';
import { balanceOf, type Balance } from './payments.ts';
import type { InvoiceState } from './state.ts';

/** What is paid and still to be paid. Nothing can be credited yet. */
export const balance = (state: InvoiceState): Balance => balanceOf(state, '0');

/** What can be done now. Metadata can always be changed and is not listed. */
export function availableActions(state: InvoiceState): InvoiceAction[] {
  switch (state.status) {
    case 'draft':
    case 'failed':
      return ['update', 'submit', 'void'];
    case 'submitted':
      return balance(state).status === 'paid' ? ['void'] : ['void', 'record_payment'];
    case 'submitting':
      return isInDoubt(state.fiscal) ? ['resolve'] : [];
    case 'being_numbered':
    case 'voiding':
    case 'voided':
      return [];
    default:
      return state satisfies never;
  }
}

/** The status as everyone outside sees it. */
export const publicStatus = ({ status }: InvoiceState) => (status === 'being_numbered' ? 'submitting' : status);

/** For what is not possible in the state that the invoice has. */
export const refusedIn = (state: InvoiceState, what: string, why?: string): DomainError =>
  invalidState(what, publicStatus(state), availableActions(state), why);
