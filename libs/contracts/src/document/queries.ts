import { sortable } from '../http/page.ts';

export const documentSorts = sortable('created_at', 'issue_date', 'number', 'total');
export type DocumentSort = `${'' | '-'}${'created_at' | 'issue_date' | 'number' | 'total'}`;
