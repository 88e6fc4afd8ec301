import type { DocumentType, TaxCode } from './rules.ts';

export interface RuledTax {
  category: string;
  /** Per cent, canonical decimal text. */
  rate: string;
  code: TaxCode;
  retained: boolean;
  exemption_reason?: string | null;
  /** Which articles exempt, in the authority's words. */
  exemption_code?: string | null;
  surcharge?: string | number | null;
}

/** What the rules read of a document. */
export interface RuledDocument {
  type: DocumentType;
  currency: string;
  /** The issuer's currency per unit of `currency`. */
  exchange_rate?: number | string | null;
  items: readonly { taxes: readonly RuledTax[]; quantity?: string; description?: string | null; unit?: string | null }[];
  discounts: readonly { taxes?: readonly RuledTax[] }[];
  charges: readonly { taxes?: readonly RuledTax[] }[];
  /** Of the series that the number will be taken from; null: it has its number. */
  number_format: string | null;
  /** ISO 3166-1 alpha-2, where it is known. */
  customer_country?: string | null;
  /** Whether one of its tax groups takes back more than it sells; absent: that is not known yet. */
  takes_back?: boolean;
  /** Subtotal, total, bases of taxes, and VAT at rates above 0, decimal texts in `currency`; absent: they are not known yet. */
  amounts?: { total: string; others: readonly string[]; taxed?: readonly { rate: string; base: string; amount: string }[] };
  /** Days, yyyy-mm-dd; of the issue today where none is set. Absent: not known. */
  issue_date?: string | null;
  supply_date?: string | null;
  /** The day on which it takes its number, in the zone of the issuer. Absent: it has one, or that is not known. */
  numbered_on?: string;
  /** Whether a customer is named, and its tax id where it has one. */
  has_customer?: boolean;
  customer_tax_id?: string | null;
  /** What kind of number that is, where the customer says so, and of which country (ISO 3166-1 alpha-2); absent: that of the customer. */
  customer_tax_id_kind?: string | null;
  customer_tax_id_country?: string | null;
  correction_code?: string | null;
  late_reason?: string | null;
  payment_method?: string | null;
  /** This and the next ones: of a receipt. */
  payments?: readonly { method: string }[];
  unit?: string | null;
  device?: string | null;
  operator?: string | null;
}

/** What they read of who issues it. */
export interface RuledIssuer {
  country: string | null;
  currency: string | null;
  authority?: string | null;
  tax_id?: string | null;
  legal_name?: string | null;
  vat_registered?: boolean;
  software_code?: string | null;
  installation?: string | null;
  tax_regime?: string | null;
  /** Tills, with the codes that the authority gave them. */
  devices?: readonly { unit: string; code: string; authority_code: string | null }[];
  units?: readonly { code: string; devices?: readonly string[] }[];
  operators?: readonly { code: string }[];
}
