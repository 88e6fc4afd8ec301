import { sortable } from '../http/page.ts';
import { vocabulary } from '../schema/vocabulary.ts';

export const documentSorts = vocabulary('DocumentSort', sortable('created_at', 'issue_date', 'number', 'total'));
export type DocumentSort = `${'' | '-'}${'created_at' | 'issue_date' | 'number' | 'total'}`;
