import type { InvoiceAction } from '@svc/contracts/invoice/vocabulary';
import { invalidState, type DomainError } from '@svc/kernel';
import { isInDoubt } from '../../document/domain/fiscal.ts';
import { kinds } from '../../document/domain/kinds.ts';
import { amountCredited } from './credits.ts';
import { balanceOf, type Balance } from './payments.ts';
import type { InvoiceState } from './state.ts';

/** What is paid, credited and still to be paid. Nothing is due of a credit note, nor of what carries out a void. */
export function balance(state: InvoiceState): Balance {
  if (!kinds[state.content.type].isOwed || state.reversal) return { paid: '0', credited: '0', due: '0', status: 'paid' };
  return balanceOf(state, 'corrections' in state && state.corrections ? amountCredited(state) : '0');
}

/** The balance that callers see: `status` is null, and nothing is due, while the document is not issued, and once it is void. */
export type ShownBalance = Omit<Balance, 'status'> & { status: Balance['status'] | null };

/** The balance as callers see it: a draft, a rejected and a voided document owe nothing. */
export const shownBalance = (state: InvoiceState): ShownBalance =>
  owesNothing.has(state.status) ? { ...balance(state), due: '0', status: null } : balance(state);

const owesNothing: ReadonlySet<InvoiceState['status']> = new Set(['draft', 'failed', 'voided']);

/** What can be done now: with what carries out a void, a person can end a doubt alone. Metadata can always be changed and is not listed. */
export function availableActions(state: InvoiceState): InvoiceAction[] {
  if (state.reversal) return 'fiscal' in state && isInDoubt(state.fiscal) ? ['resolve'] : [];
  switch (state.status) {
    case 'draft':
    case 'failed':
      return ['update', 'submit', 'void'];
    case 'submitted':
      return balance(state).status === 'paid' ? ['void'] : ['void', 'record_payment'];
    case 'submitting':
      return isInDoubt(state.fiscal) ? ['resolve'] : [];
    case 'being_numbered':
    case 'being_resubmitted':
    case 'voiding':
    case 'voided':
      return [];
    default:
      return state satisfies never;
  }
}

/** The status as everyone outside sees it. */
export const publicStatus = ({ status }: InvoiceState) =>
  status === 'being_numbered' || status === 'being_resubmitted' ? 'submitting' : status;

/** For what is not possible in the state that the invoice has. */
export const refusedIn = (state: InvoiceState, what: string, why = state.reversal && REVERSAL): DomainError =>
  invalidState(what, publicStatus(state), availableActions(state), why);

const REVERSAL = 'it carries out the void of the invoice that it corrects, and only its metadata can be changed.';
