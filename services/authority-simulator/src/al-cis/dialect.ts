import type { AuthorityId } from '../wires/authorities.ts';
import type { Shape } from '../xml/schema.ts';
import type { Element } from '../xml/element.ts';

/** In what the fiscalization services of Albania and Montenegro differ. */
export interface Dialect {
  authority: AuthorityId;
  paths: readonly string[];
  namespace: string;
  version: string;
  /** The country of its test certification authority. */
  country: string;
  /** Common name of the certificate that signs answers. */
  signer: string;
  requests: Record<string, Shape>;
  /** How taxpayers are identified: the type in `IDType`, the attribute of tills and deposits, what a certificate's subject may hold. */
  taxId: { type: string; attribute: string; pattern: RegExp };
  /** The only number that an invoice may have. */
  numberOf(invoice: Element): string;
  /** The sequence that the ordinal counts in. */
  sequenceOf(invoice: Element): string;
  /** Methods of payment of cash invoices; undefined: any. */
  cashMethods: ReadonlySet<string> | undefined;
  /** By how much sums of the tax groups may differ from totals. */
  tolerance: string;
}

/** An attribute that the schema asks for. */
export const attribute = (element: Element, name: string): string => element.attributes.get(name) ?? '';
/** An attribute that may be absent. */
export const given = (element: Element | undefined, name: string): string | undefined => element?.attributes.get(name);
export const isTrue = (value: string | undefined): boolean => value === 'true' || value === '1';

const yearOf = (invoice: Element): string => attribute(invoice, 'IssueDateTime').slice(0, 4);

/** What numbers are made of. */
export const parts = {
  year: yearOf,
  ordinal: (invoice: Element): string => attribute(invoice, 'InvOrdNum'),
  till: (invoice: Element): string => attribute(invoice, 'TCRCode'),
  unit: (invoice: Element): string => attribute(invoice, 'BusinUnitCode'),
  isCash: (invoice: Element): boolean => attribute(invoice, 'TypeOfInv') === 'CASH',
};
