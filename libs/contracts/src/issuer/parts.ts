import { Address } from '../address.ts';
import { About, AnyTextList, IsAnyText, IsWhole, Nested, Nullable, Optional } from '../schema/decorators/index.ts';

export class Series {
  @About('Code, the `{series}` of the format.') @IsAnyText(12) code: string;
  @About('How numbers are written: `{series} {year} {unit} {device} {seq} {seq:6}`.') @IsAnyText(60) format: string;
  @About('First number; it can be set until a number is taken.') @IsWhole({ min: 1, max: 999_999_999 }) start: number;
}

/** The series of each document type. */
export class SeriesSet {
  @About('Series of invoices.') @Nested(() => Series) standard: Series;
  @About('Series of credit notes.') @Nested(() => Series) credit_note: Series;
  @About('Series of correctives.') @Nested(() => Series) corrective: Series;
  @About('Series of receipts.') @Nested(() => Series) receipt: Series;
}

/** A business unit: a place of business or a till location. */
export class Unit {
  @About('Code of the unit.') @IsAnyText(40) code: string;
  @About('Where the unit is.') @Optional() @Nullable() @Nested(() => Address) address?: Address | null;
  @About('Codes of the tills of this unit.') @Optional() @AnyTextList(40, { max: 100 }) devices?: string[];
}

export class Operator {
  @About('Code of the operator.') @IsAnyText(40) code: string;
  @About('Name of the operator.') @IsAnyText(255) name: string;
}
