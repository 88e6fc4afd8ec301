import type { Class } from '../class.ts';
import {
  CountOr,
  IsAnyText,
  IsCurrency,
  IsExact,
  IsTimestamp,
  IsWhole,
  NestedList,
  Nullable,
  OneOf,
  Optional,
} from '../decorators/index.ts';
import { numberFates, taxCodes } from '../vocabulary.ts';
import type { NumberFate, TaxCode } from '../vocabulary.ts';

const count = () => IsWhole({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });

/** A document that a row counts, with its part of it. */
export class CitedDocument {
  @IsAnyText(64) id: string;
  @Nullable() @IsAnyText(255) number: string | null;
  @IsExact() amount: number;
}
/** How many, or with `cite=true` which. */
type Documents = number | CitedDocument[];
const documents = () => CountOr(() => CitedDocument);
const cited = () => NestedList(() => CitedDocument, { max: 10_000_000 });

export class SalesRow {
  /** Day, ISO week (`2026-W47`), month, customer or product, by `group_by`. */
  @Nullable() @IsAnyText(64) key: string | null;
  @IsCurrency() currency: string;
  @documents() documents: Documents;
  @IsExact() subtotal: number;
  @IsExact() discount_total: number;
  @IsExact() tax_total: number;
  @IsExact() total: number;
}

export class TaxRow {
  @IsAnyText(20) category: string;
  @OneOf(taxCodes) code: TaxCode;
  @IsExact() rate: number;
  @IsCurrency() currency: string;
  @IsExact() base: number;
  @IsExact() tax: number;
  @IsExact() retained: number;
  @documents() documents: Documents;
}

/** What is due, by days overdue. */
export class ReceivablesRow {
  @Nullable() @IsAnyText(64) customer_id: string | null;
  @IsCurrency() currency: string;
  @IsExact() not_due: number;
  @IsExact() d1_30: number;
  @IsExact() d31_60: number;
  @IsExact() d61_90: number;
  @IsExact() over_90: number;
  @IsExact() total: number;
  @Optional() @cited() documents?: CitedDocument[];
}

export class CustomersRow {
  @Nullable() @IsAnyText(64) customer_id: string | null;
  @IsCurrency() currency: string;
  @documents() documents: Documents;
  @IsExact() total: number;
  @IsExact() paid: number;
  @IsExact() due: number;
}

export class ProductsRow {
  @IsAnyText(64) product_id: string;
  @IsCurrency() currency: string;
  @IsExact() quantity: number;
  @IsExact() net: number;
  @Optional() @cited() documents?: CitedDocument[];
}

export class SubmissionsRow {
  /** Day or authority, by `group_by`. */
  @IsAnyText(64) key: string;
  @count() submitted: number;
  @count() registered: number;
  @count() rejected: number;
  @count() unknown: number;
  @count() late: number;
  /** From submission to registration. */
  @IsExact() seconds_p50: number;
  @IsExact() seconds_p95: number;
  @Optional() @cited() documents?: CitedDocument[];
}

/** A number that was taken, and what became of its document. */
export class NumberingRow {
  @IsAnyText(12) series: string;
  @IsAnyText(255) number: string;
  @count() seq: number;
  @IsAnyText(64) document_id: string;
  @IsTimestamp() issued_at: string;
  @OneOf(numberFates) fate: NumberFate;
}

/** Numbers that nobody took although a later one was: first and last, by `seq`. */
export class NumberGap {
  @IsAnyText(12) series: string;
  @Optional() @Nullable() @IsAnyText(4) year?: string | null;
  @count() from: number;
  @count() to: number;
}

export const reportRows: readonly Class[] = [SalesRow, TaxRow, ReceivablesRow, CustomersRow, ProductsRow, SubmissionsRow, NumberingRow];
