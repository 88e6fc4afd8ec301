import type { RegistrationRequested } from '@svc/contracts/registration/requested';

type Tax = RegistrationRequested['document']['items'][number]['taxes'][number];

/** Why a line bears no VAT: the code that states it, and the total that has it besides the tax groups. */
export interface Exemption {
  code?: string;
  total?: 'TaxFreeAmt' | 'MarkUpAmt' | 'GoodsExAmt';
}

/** In what the fiscalization services of Albania and Montenegro differ. */
export interface Dialect {
  id: string;
  namespace: string;
  version: string;
  /** What SOAP actions begin with. */
  action: string;
  path: string;
  /** Where the deadlines of the law are counted. */
  zone: string;
  currency: string;
  country: string;
  taxId: { type: string; attribute: string; pattern: RegExp; words: string };
  /** Every invoice states its till, not the cash ones alone. */
  alwaysTill: boolean;
  reverseCharge: boolean;
  /** Attributes that one of them has alone. `isCredit`: a credit note; `corrects`: it refers to an original. */
  attributes(of: { isCredit: boolean; corrects: boolean }): Record<string, string>;
  /** Type of a reference to the original. */
  correction(isCredit: boolean): string;
  /** Types of payment by our methods: of receipts, which are paid in cash, and of invoices. */
  methods: { receipt: Readonly<Record<string, string>>; invoice: Readonly<Record<string, string>> };
  /** Whether an invoice with this method is paid in cash, as every receipt that is not paid by transfer. */
  isCash(method: string): boolean;
  /** A buyer without a name and a number is not stated. */
  namedBuyer: boolean;
  /** null: it bears VAT. */
  exemption(tax: Tax | undefined): Exemption | null;
}
