/** What was acknowledged to a client. */
export interface Acknowledged {
  path: '/customers' | '/invoices' | '/receipts';
  id: string;
  /** The Idempotency-Key of its creation, also in its metadata. */
  key: string;
  number?: string;
  /** The last acknowledged note. */
  note?: string;
  /** Ids of the payments that count. */
  payments?: string[];
  submitted?: true;
  voided?: true;
  deleted?: true;
}
