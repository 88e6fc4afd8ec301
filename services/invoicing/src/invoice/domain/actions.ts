import type { InvoiceAction } from '@svc/contracts/invoice/vocabulary';
import type { PaymentStatus } from '@svc/contracts/invoice/vocabulary';
import { decimal, toText, ZERO } from '@svc/kernel';
import { isInDoubt } from '../../document/domain/fiscal.ts';
import { kinds } from '../../document/domain/kinds.ts';
import { amountCredited } from './credits.ts';
import type { InvoiceState } from './state.ts';

/** What is credited so far. Decimal text. */
export const creditedOf = (state: InvoiceState): string => ('corrections' in state && state.corrections ? amountCredited(state) : '0');

/** What is still to be paid: total − retained − credited; below 0: owed back. Nothing of a credit note. Decimal text. */
export function amountDue(state: InvoiceState): string {
  const { total, retained_total: retained } = state.totals;
  if (!kinds[state.content.type].isOwed) return '0';
  const credited = creditedOf(state);
  return retained === '0' && credited === '0' ? total : toText(decimal(total).minus(retained).minus(credited));
}

const isPaid = (state: InvoiceState): boolean => decimal(amountDue(state)).lte(ZERO);

export function paymentStatus(state: InvoiceState): PaymentStatus {
  if (isPaid(state)) return 'paid';
  return creditedOf(state) === '0' ? 'unpaid' : 'partial';
}

/** What can be done now. Metadata can always be changed and is not listed. */
export function availableActions(state: InvoiceState): InvoiceAction[] {
  switch (state.status) {
    case 'draft':
    case 'failed':
      return ['update', 'submit', 'void'];
    case 'submitted':
      return isPaid(state) ? ['void'] : ['void', 'record_payment'];
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
