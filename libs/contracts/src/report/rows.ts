import type { Class } from '../schema/class.ts';
import {
  About,
  IsAnyText,
  IsCurrency,
  IsExact,
  IsTimestamp,
  IsWhole,
  NestedList,
  Nullable,
  OneOf,
  Optional,
  Personal,
} from '../schema/decorators/index.ts';
import { vocabulary } from '../schema/vocabulary.ts';
import { type TaxCode, taxCodes } from '../tax.ts';

/** A document that a row includes, with its part of the amount. */
export class CitedDocument {
  @About('Identifier of the document.') @IsAnyText(64) id: string;
  @About('Number of the document.') @Nullable() @IsAnyText(255) number: string | null;
  @About('Its part of the row.') @IsExact() amount: number;
  @About('In the report `tax`: its part of the tax, or of the retained tax; `amount` is of the base.') @Optional() @IsExact() tax?: number;
  @About('In the report `tax`: its part of `issuer_base`; absent where it states no rate.') @Optional() @IsExact() issuer_base?: number;
  @About('In the report `tax`: its part of `issuer_tax`; absent where it states no rate.') @Optional() @IsExact() issuer_tax?: number;
  @About('In the report `customers`: what is paid of it.') @Optional() @IsExact() paid?: number;
  @About('In the report `customers`: what is due of it.') @Optional() @IsExact() due?: number;
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
const ITSELF = 'With `cite=true`: empty, since the row is of one document and names it.';
const NAMED = 'Name of the customer, as on the last of the documents; null where they name none.';

/** Over all rows of a report, one a currency. */
export class SalesTotal extends Counted {
  @About('Without tax.') @IsExact() subtotal: number;
  @About('Discounts of documents.') @IsExact() discount_total: number;
  @About('Taxes that are not retained.') @IsExact() tax_total: number;
  @About('With tax.') @IsExact() total: number;
}

export class SalesRow extends SalesTotal {
  @About('What the row stands for, by `group_by`: a day, an ISO week (`2026-W47`), a month, an id, a payment method or a code. null: none.')
  @Nullable()
  @IsAnyText(64)
  key: string | null;
  @About(`With \`group_by=customer\`. ${NAMED}`) @Personal() @Optional() @Nullable() @IsAnyText(255) customer_name?: string | null;
  @About(CITED) @Optional() @cited() cited?: CitedDocument[];
}

export class TaxTotal extends Counted {
  @About('Amount that the tax is computed from. In `totals[]` without the bases of retained taxes, which other taxes have too.')
  @IsExact()
  base: number;
  @About('Tax on the base.') @IsExact() tax: number;
  @About('Tax that customers withhold.') @IsExact() retained: number;
  @About('Base in the issuer’s currency, at the rate of each document; null where a document states no rate.')
  @Nullable()
  @IsExact()
  issuer_base: number | null;
  @About('Tax in the issuer’s currency, at the rate of each document; null where a document states no rate.')
  @Nullable()
  @IsExact()
  issuer_tax: number | null;
}

export class TaxRow extends TaxTotal {
  @About('Category of tax, such as `VAT`.') @IsAnyText(20) category: string;
  @About('UNCL 5305 code.') @OneOf(taxCodes) code: TaxCode;
  @About('Rate in per cent; 20 is 20 %.') @IsExact() rate: number;
  @About('With `group_by=customer`: the customer.') @Optional() @Nullable() @IsAnyText(64) customer_id?: string | null;
  @About(`With \`group_by=customer\`. ${NAMED}`) @Personal() @Optional() @Nullable() @IsAnyText(255) customer_name?: string | null;
  @About('With `group_by=customer`: tax identification number, as on the last of the documents.')
  @Optional()
  @Nullable()
  @IsAnyText(255)
  customer_tax_id?: string | null;
  @About(CITED) @Optional() @cited() cited?: CitedDocument[];
}

export class ReceivablesTotal {
  @About('ISO 4217 code.') @IsCurrency() currency: string;
  @About('Due on the day or later. A document without a due date is due on its issue date.') @IsExact() not_due: number;
  @About('1 to 30 days late.') @IsExact() d1_30: number;
  @About('31 to 60 days late.') @IsExact() d31_60: number;
  @About('61 to 90 days late.') @IsExact() d61_90: number;
  @About('More than 90 days late.') @IsExact() over_90: number;
  @About('What is due in all; below 0 is owed back.') @IsExact() total: number;
}

export class ReceivablesRow extends ReceivablesTotal {
  @About('Customer.') @Nullable() @IsAnyText(64) customer_id: string | null;
  @About(NAMED) @Personal() @Optional() @Nullable() @IsAnyText(255) customer_name?: string | null;
  @About(CITED) @Optional() @cited() cited?: CitedDocument[];
}

export class CustomersTotal extends Counted {
  @About('What was bought, with tax.') @IsExact() total: number;
  @About('What was paid of it.') @IsExact() paid: number;
  @About('What is due of it.') @IsExact() due: number;
}

export class CustomersRow extends CustomersTotal {
  @About('Customer.') @Nullable() @IsAnyText(64) customer_id: string | null;
  @About(NAMED) @Personal() @Optional() @Nullable() @IsAnyText(255) customer_name?: string | null;
  @About(CITED) @Optional() @cited() cited?: CitedDocument[];
}

export class ProductsTotal extends Counted {
  @About('Quantity of the lines.') @IsExact() quantity: number;
  @About('Net amount of the lines, without tax.') @IsExact() net: number;
}

export class ProductsRow extends ProductsTotal {
  @About('Product. Lines without one are in no row.') @IsAnyText(64) product_id: string;
  @About(CITED) @Optional() @cited() cited?: CitedDocument[];
}

const MOST = { min: 0, max: Number.MAX_SAFE_INTEGER };

export class SubmissionsTotal {
  @About('Documents that were submitted.') @IsWhole(MOST) submitted: number;
  @About('Registered by the authority, also where they are void since.') @IsWhole(MOST) registered: number;
  @About('Rejected by the authority.') @IsWhole(MOST) rejected: number;
  @About('Documents of which it is not known what the authority did.') @IsWhole(MOST) unknown: number;
  @About('Registered late, by the authority’s rules.') @IsWhole(MOST) late: number;
  @About('Seconds until the authority’s answer, of half of the documents at most; null without answers.')
  @Nullable()
  @IsExact()
  seconds_p50: number | null;
  @About('Seconds until the authority’s answer, of 95 % of the documents at most; null without answers.')
  @Nullable()
  @IsExact()
  seconds_p95: number | null;
}

export class SubmissionsRow extends SubmissionsTotal {
  @About('Issue date of the documents, or authority, by `group_by`.') @IsAnyText(64) key: string;
  @About('With `cite=true`: the documents that were submitted, each with the amount 1.') @Optional() @cited() cited?: CitedDocument[];
}

export const fates = vocabulary('NumberFate', ['registered', 'pending', 'failed', 'voided']);
export type Fate = (typeof fates)[number];

export class NumberingRow {
  @About('Code of the number series.') @IsAnyText(12) series: string;
  @About('Numbers with the same key share one count: series, unit, device and year, as far as the series counts by them.')
  @IsAnyText(255)
  series_key: string;
  @About('Number of the document.') @IsAnyText(255) number: string;
  @About('Its place in the count.') @IsWhole({ min: 1, max: Number.MAX_SAFE_INTEGER }) seq: number;
  @About('Document that has the number.') @IsAnyText(64) document_id: string;
  @About('Moment of numbering, UTC.') @IsTimestamp() issued_at: string;
  @About('What became of the document.') @OneOf(fates) fate: Fate;
  @About(ITSELF) @Optional() @cited() cited?: CitedDocument[];
}

export const gapReasons = vocabulary('NumberGapReason', ['missing', 'restored']);

/** Numbers of a count that no document is known to have. */
export class NumberGap {
  @About('Key of the count.') @IsAnyText(255) series_key: string;
  @About('First number.') @IsWhole({ min: 1, max: Number.MAX_SAFE_INTEGER }) from_seq: number;
  @About('Last number.') @IsWhole({ min: 1, max: Number.MAX_SAFE_INTEGER }) to_seq: number;
  @About('`missing`: no document is known to have them. `restored`: an operator has skipped them after a restore from a backup.')
  @OneOf(gapReasons)
  reason: (typeof gapReasons)[number];
}

/** The served reports in the order of the catalogue, with the classes of their rows and of their totals; nothing is added up over numbers. */
export const reportShapes = {
  sales: { row: SalesRow, total: SalesTotal },
  tax: { row: TaxRow, total: TaxTotal },
  receivables: { row: ReceivablesRow, total: ReceivablesTotal },
  customers: { row: CustomersRow, total: CustomersTotal },
  products: { row: ProductsRow, total: ProductsTotal },
  submissions: { row: SubmissionsRow, total: SubmissionsTotal },
  numbering: { row: NumberingRow },
} satisfies Record<string, { row: Class; total?: Class }>;
export type ReportName = keyof typeof reportShapes;
export const reportNames = vocabulary('ReportName', Object.keys(reportShapes) as ReportName[]);
