/** EN 16931's categories of value added tax; `S` also stands for any tax that is simply charged. See `vatProblems` for the rates of each. */
export type TaxCode = 'S' | 'Z' | 'E' | 'AE' | 'K' | 'G' | 'O';

/** A tax of a line or a document discount. Numbers are canonical decimal text (`21`, `5.2`). */
export interface Tax {
  category: string;
  /** Percent. */
  rate: string;
  code: TaxCode;
  /** Withheld by the payer: lowers the amount due, not the total. */
  retained: boolean;
  exemption_reason?: string;
  /** Which exemption it is, in the words of the authority. */
  exemption_code?: string;
  /** Percent on top of the tax (Spain's recargo de equivalencia). */
  surcharge?: string;
}

/** A discount or charge: exactly one of a percentage and an amount in the document's currency. */
export interface Adjustment {
  percent?: string;
  amount?: string;
  reason?: string;
}

/** Of the whole document: with `taxes` it applies to that set of taxes, without it is shared over the sets of the lines. */
export interface DocumentAdjustment extends Adjustment {
  taxes?: Tax[];
}

export interface LineTerms {
  /** Not 0; may be negative. */
  quantity: string;
  /** Not negative. */
  unit_price: string;
  discounts: Adjustment[];
  charges: Adjustment[];
  taxes: Tax[];
}

/** Everything that a document's totals depend on. */
export interface Terms {
  /** Of the currency: 0 to 4. */
  decimals: number;
  /** `line`: every line amount is rounded; `precise`: only sums are. */
  rounding: 'line' | 'precise';
  /** Prices, discounts and charges include the taxes that are not retained. */
  prices_include_tax: boolean;
  items: LineTerms[];
  discounts: DocumentAdjustment[];
  charges: DocumentAdjustment[];
}

export interface LineAmounts {
  /** Net of the line's own discounts and charges, without tax. */
  amount: string;
  discount_amount: string;
  charge_amount: string;
}

/** The amounts of the lines of one (category, code, rate, retained, surcharge). */
export interface TaxRow {
  category: string;
  code: TaxCode;
  rate: string;
  retained: boolean;
  base: string;
  amount: string;
  surcharge?: { rate: string; amount: string };
}

/** Amounts as canonical decimal text at the currency's decimals. */
export interface Totals {
  lines: LineAmounts[];
  subtotal: string;
  /** Only of the document level (EN 16931 BT-107 and BT-108); a line has its own. */
  discount_total: string;
  charge_total: string;
  tax_total: string;
  retained_total: string;
  /** With tax, before retentions. */
  total: string;
  tax_breakdown: TaxRow[];
}
