import type { Class } from '../schema/class.ts';
import { About, CountOr, IsAnyText, IsCurrency, IsExact, Nullable, OneOf } from '../schema/decorators/index.ts';
import { type TaxCode, taxCodes } from '../tax.ts';

/** A document that a row includes, with its part of the amount. */
export class CitedDocument {
  @About('Identifier of the document.') @IsAnyText(64) id: string;
  @About('Number of the document.') @Nullable() @IsAnyText(255) number: string | null;
  @About('Its part of the row.') @IsExact() amount: number;
}
/** The number of documents; with `cite=true` the documents. */
type Documents = number | CitedDocument[];
const documents = () => CountOr(() => CitedDocument);

export class SalesRow {
  @About('Day, ISO week (`2026-W47`), month, customer or product, by `group_by`.') @Nullable() @IsAnyText(64) key: string | null;
  @About('ISO 4217 code.') @IsCurrency() currency: string;
  @About('How many documents are counted; with `cite=true` the documents themselves.') @documents() documents: Documents;
  @About('Without tax.') @IsExact() subtotal: number;
  @About('Discounts of documents.') @IsExact() discount_total: number;
  @About('Taxes that are not retained.') @IsExact() tax_total: number;
  @About('With tax.') @IsExact() total: number;
}

export class TaxRow {
  @About('Category of tax, such as `VAT`.') @IsAnyText(20) category: string;
  @About('UNCL 5305 code.') @OneOf(taxCodes) code: TaxCode;
  @About('Rate in per cent; 20 is 20 %.') @IsExact() rate: number;
  @About('ISO 4217 code.') @IsCurrency() currency: string;
  @About('Amount that the tax is computed from.') @IsExact() base: number;
  @About('Tax on the base.') @IsExact() tax: number;
  @About('Tax that customers withhold.') @IsExact() retained: number;
  @About('How many documents are counted; with `cite=true` the documents themselves.') @documents() documents: Documents;
}

export class CustomersRow {
  @About('Customer.') @Nullable() @IsAnyText(64) customer_id: string | null;
  @About('ISO 4217 code.') @IsCurrency() currency: string;
  @About('How many documents are counted; with `cite=true` the documents themselves.') @documents() documents: Documents;
  @About('What the customer bought, with tax.') @IsExact() total: number;
  @About('What was paid of it.') @IsExact() paid: number;
  @About('What is due of it.') @IsExact() due: number;
}

/** The served reports in the order of the catalogue, with the classes of their rows. */
export const reportRows = { sales: SalesRow, tax: TaxRow, customers: CustomersRow } satisfies Record<string, Class>;
export type ReportName = keyof typeof reportRows;
export const reportNames = Object.keys(reportRows) as ReportName[];
