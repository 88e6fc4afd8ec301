import { sortable } from '../http/page.ts';
import { vocabulary } from '../schema/vocabulary.ts';

export const documentSorts = vocabulary('DocumentSort', sortable('created_at', 'issue_date', 'number', 'total'));
export type DocumentSort = `${'' | '-'}${'created_at' | 'issue_date' | 'number' | 'total'}`;

export const SEARCH =
  'Only those whose customer’s name has words that begin so, by Unicode case folding, all of them (of a name the first five words count), or whose number begins so, or ends with these digits (three or more, where at most 1,000 numbers do), or whose sequence, total, `tax_id` of the customer or `fiscal_code` is this. `*8412*` has the digits anywhere in the sequence of the number, three or more with three others at most. A draft has no name of a customer yet. More than 10,000 matches, of `*8412*` 1,000, are 400.';

export const ORDER =
  'Order; `-` in front is descending. Newest first by default. `created_at` is the order of entering the list; `number` sorts by series, year and sequence.';
