import type { Sort } from '@svc/document-store';

/** The orders of a list of what has a name. */
export const ordersByName: Record<string, Sort> = {
  '-created_at': { created_at: -1, _id: -1 },
  created_at: { created_at: 1, _id: 1 },
  name: { name_key: 1, _id: 1 },
  '-name': { name_key: -1, _id: -1 },
};
