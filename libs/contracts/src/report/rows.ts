import type { Class } from '../schema/class.ts';
import { About, IsAnyText, IsCurrency, IsExact, IsWhole, NestedList, Nullable, OneOf, Optional } from '../schema/decorators/index.ts';
import { vocabulary } from '../schema/vocabulary.ts';
import { type TaxCode, taxCodes } from '../tax.ts';

/** A document that a row includes, with its part of the amount. */
export class CitedDocument {
  @About('Identifier of the document.') @IsAnyText(64) id: string;
  @About('Number of the document.') @Nullable() @IsAnyText(255) number: string | null;
  @About('Its part of the row.') @IsExact() amount: number;
}

/** The fields of every row and total. */
class Counted {
  @About('ISO 4217 code.') @IsCurrency() currency: string;
  @About('How many documents are counted; a void takes one away.')
  @IsWhole({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })
  documents: number;
}

const cited = () => NestedList(() => CitedDocument, { max: 100_000 });
const CITED = 'With `cite=true`: the documents that sum to the row.';

/** Over all rows of a report, one a currency. */
export class SalesTotal extends Counted {
  @About('Without tax.') @IsExact() subtotal: number;
  @About('Discounts of documents.') @IsExact() discount_total: number;
  @About('Taxes that are not retained.') @IsExact() tax_total: number;
  @About('With tax.') @IsExact() total: number;
}

export class SalesRow extends SalesTotal {
  @About('Day, ISO week (`2026-W47`), month, customer or product, by `group_by`.') @Nullable() @IsAnyText(64) key: string | null;
  @About(CITED) @Optional() @cited() cited?: CitedDocument[];
}

export class TaxTotal extends Counted {
  @About('Amount that the tax is computed from.') @IsExact() base: number;
  @About('Tax on the base.') @IsExact() tax: number;
  @About('Tax that customers withhold.') @IsExact() retained: number;
}

export class TaxRow extends TaxTotal {
  @About('Category of tax, such as `VAT`.') @IsAnyText(20) category: string;
  @About('UNCL 5305 code.') @OneOf(taxCodes) code: TaxCode;
  @About('Rate in per cent; 20 is 20 %.') @IsExact() rate: number;
  @About(CITED) @Optional() @cited() cited?: CitedDocument[];
}

export class CustomersTotal extends Counted {
  @About('What was bought, with tax.') @IsExact() total: number;
  @About('What was paid of it.') @IsExact() paid: number;
  @About('What is due of it.') @IsExact() due: number;
}

export class CustomersRow extends CustomersTotal {
  @About('Customer.') @Nullable() @IsAnyText(64) customer_id: string | null;
  @About(CITED) @Optional() @cited() cited?: CitedDocument[];
}

/** The served reports in the order of the catalogue, with the classes of their rows and of their totals. */
export const reportShapes = {
  sales: { row: SalesRow, total: SalesTotal },
  tax: { row: TaxRow, total: TaxTotal },
  customers: { row: CustomersRow, total: CustomersTotal },
} satisfies Record<string, { row: Class; total: Class }>;
export type ReportName = keyof typeof reportShapes;
export const reportNames = vocabulary('ReportName', Object.keys(reportShapes) as ReportName[]);
