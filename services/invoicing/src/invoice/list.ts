import { documentProjection } from '../document/list.ts';
import { isPaid, publicStatus } from './domain/actions.ts';
import { isNumbered } from './domain/state.ts';
import { invoices } from './invoices.ts';

export const invoicesProjection = documentProjection(invoices.definition, {
  name: 'invoices_v2',
  filters: ['payment_status', 'series', 'currency', 'type', 'corrects'],
  own(state) {
    const { type, customer_id, corrects, issue_date } = state.content;
    return {
      status: publicStatus(state),
      type,
      customer_id,
      number: isNumbered(state) ? state.issue.number : null,
      payment_status: isPaid(state) ? 'paid' : 'unpaid',
      corrects,
      issue_date,
    };
  },
});
