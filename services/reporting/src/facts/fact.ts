import type { TaxCode } from '@svc/contracts/tax';
import type { Collection, Doc, Index } from '@svc/document-store';
import type { Day, Env } from '@svc/kernel';

/** One tax group of a document: at most one per category, code and rate. */
export interface TaxFact {
  category: string;
  code: TaxCode;
  /** Percent. */
  rate: string;
  base: string;
  /** Surcharge included, what is retained not. */
  tax: string;
  retained: string;
}

/** The lines of a document that name one product, added up. */
export interface ProductFact {
  product_id: string;
  subtotal: string;
  tax: string;
}

/**
 * What reports need of one registered document, as of its latest event: `_id` is the document's id, `version` the event's sequence.
 * Amounts are decimal texts in `currency`, as they stand on the document: a credit note's are positive.
 */
export interface Fact extends Doc {
  account: string;
  env: Env;
  kind: 'invoice' | 'receipt';
  number: string;
  is_credit_note: boolean;
  customer_id: string | null;
  currency: string;
  issued_on: Day;
  voided_on: Day | null;
  /** The issuer's, frozen into the document. */
  time_zone: string;
  /** Time of the latest event, ISO 8601. */
  changed_at: string;
  subtotal: string;
  discount_total: string;
  tax_total: string;
  /** With tax, before what is retained. */
  total: string;
  paid: string;
  /** total − retained − paid. What was credited is not taken off: the credit note is a fact of its own. */
  due: string;
  taxes: TaxFact[];
  products: ProductFact[];
}

export type Facts = Collection<Fact>;

/** Another shape of the rows is another collection, filled by another group of consumers. */
export const FACTS = 'facts_v1';
export const GROUP = 'reporting';

const tenant = ['account', 'env'];
export const factIndexes: Index[] = [
  { fields: [...tenant, 'issued_on', '_id'] },
  { fields: [...tenant, 'voided_on', '_id'] },
  { fields: [...tenant, 'changed_at', '_id'] },
];
