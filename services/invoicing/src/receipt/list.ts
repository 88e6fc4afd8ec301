import { documentProjection } from '../document/list.ts';
import { receipts } from './receipts.ts';

/** A receipt gets its row when it has its number. Receipts are of one type and correct nothing: both filters are taken, and find what they say. */
export const receiptsProjection = documentProjection(receipts.definition, {
  name: 'receipts_v1',
  filters: ['series', 'currency', 'type', 'corrects'],
  own({ status, content, issue }) {
    const { number, issue_date } = issue;
    return { status, type: 'standard', customer_id: content.customer_id, number, corrects: null, issue_date };
  },
});
