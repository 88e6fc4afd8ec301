import { type InvoiceAction, invoiceActions } from '@svc/contracts/invoice/vocabulary';
import { invalidState, type DomainError } from '@svc/kernel';
import { isInDoubt } from '../../document/domain/fiscal.ts';
import { kinds } from '../../document/domain/kinds.ts';
import { amountCredited, isCorrected } from './credits.ts';
import { balanceOf, MOST_PAYMENTS, type Balance } from './payments.ts';
import type { InvoiceState, NumberedInvoice } from './state.ts';

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

/** By action: why it is refused now, in whole sentences that say what to do. An action without a reason is possible. */
export type Unavailable = Partial<Record<InvoiceAction, string>>;

/** What is refused in the state that the invoice has: the decider refuses by it, and callers are offered the rest. Metadata can always be changed. */
export function unavailableActions(state: InvoiceState): Unavailable {
  const inDoubt = 'fiscal' in state && isInDoubt(state.fiscal) && state.status === 'submitting';
  const resolve: Unavailable = inDoubt ? {} : { resolve: 'Nothing is in doubt.' };
  if (state.reversal) return { update: REVERSAL, submit: REVERSAL, void: REVERSAL, ...resolve, record_payment: REVERSAL };
  switch (state.status) {
    case 'draft':
    case 'failed':
      return { ...resolve, record_payment: 'Payments are recorded once it is submitted. Submit it first.' };
    case 'submitted':
      return { update: ISSUED, submit: 'It is submitted already.', ...voidOf(state), ...resolve, ...paymentOf(state) };
    case 'submitting':
    case 'being_numbered':
    case 'being_resubmitted': {
      const why = inDoubt ? IN_DOUBT : UNDER_WAY;
      return { update: why, submit: why, void: why, ...resolve, record_payment: why };
    }
    case 'voiding':
      return { update: VOIDING, submit: VOIDING, void: VOIDING, ...resolve, record_payment: VOIDING };
    case 'voided':
      return { update: VOIDED, submit: VOIDED, void: 'It is void already.', ...resolve, record_payment: VOIDED };
    default:
      return state satisfies never;
  }
}

/** What can be done now: all that is not unavailable. */
export const availableActions = (state: InvoiceState): InvoiceAction[] => {
  const unavailable = unavailableActions(state);
  return invoiceActions.filter((action) => unavailable[action] === undefined);
};

/** The reasons that callers are shown: those that do not follow from the status. undefined: none. */
export function shownReasons(state: InvoiceState): Unavailable | undefined {
  if (state.status !== 'submitted' || state.reversal) return undefined;
  const reasons = { ...voidOf(state), ...paymentOf(state) };
  return Object.keys(reasons).length > 0 ? reasons : undefined;
}

function voidOf(state: NumberedInvoice): Unavailable {
  if (balance(state).paid !== '0') return { void: 'Something is paid. Reverse the payments or issue a credit note.' };
  if (isCorrected(state)) return { void: 'It has a credit note or corrective. Void that first, or credit what is left.' };
  return {};
}

function paymentOf(state: NumberedInvoice): Unavailable {
  if (!kinds[state.content.type].isOwed) return { record_payment: 'A credit note takes no payments.' };
  if (balance(state).status === 'paid') return { record_payment: 'Nothing is due.' };
  if ((state.payments?.count ?? 0) >= MOST_PAYMENTS)
    return { record_payment: `It has ${MOST_PAYMENTS} payments, the most there may be. Reverse some and record their sum.` };
  return {};
}

const ISSUED = 'It is issued: only its metadata can be changed. Issue a credit note or a corrective.';
const UNDER_WAY = 'It is being submitted. Wait for the answer of the authority.';
const IN_DOUBT = 'Its registration is in doubt. Wait for the answer of the authority, or resolve it.';
const VOIDING = 'It is being voided. Wait for the outcome.';
const VOIDED = 'It is void. Draft another invoice.';
const REVERSAL = 'It carries out the void of the invoice that it corrects: only its metadata can be changed.';

/** The status as everyone outside sees it. */
export const publicStatus = ({ status }: InvoiceState) =>
  status === 'being_numbered' || status === 'being_resubmitted' ? 'submitting' : status;

/** For what is not possible in the state that the invoice has. */
export const refusedIn = (state: InvoiceState, what: string, why?: string): DomainError =>
  invalidState(what, publicStatus(state), availableActions(state), why);

/** Throws invalid_state, with the reason, where the action is not available. */
export function checkAvailable(state: InvoiceState, action: InvoiceAction, what: string): void {
  const why = unavailableActions(state)[action];
  if (why !== undefined) throw refusedIn(state, what, why);
}
