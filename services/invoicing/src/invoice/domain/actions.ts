import type { InvoiceAction } from '@svc/contracts/invoice/vocabulary';
import { decimal, toText, ZERO } from '@svc/kernel';
import { isInDoubt } from '../../document/domain/fiscal.ts';
import type { InvoiceState } from './state.ts';

/** What is still to be paid: total − retained. Decimal text. */
export const amountDue = ({ totals: { total, retained_total: retained } }: InvoiceState): string =>
  retained === '0' ? total : toText(decimal(total).minus(retained));

export const isPaid = (state: InvoiceState): boolean => decimal(amountDue(state)).lte(ZERO);

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
    case 'voiding':
    case 'voided':
      return [];
    default:
      return state satisfies never;
  }
}

/** The status as everyone outside sees it. */
export const publicStatus = ({ status }: InvoiceState) => (status === 'being_numbered' ? 'submitting' : status);
