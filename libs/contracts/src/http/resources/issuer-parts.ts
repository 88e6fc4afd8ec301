import { AnyTextList, IsAnyText, IsWhole, Nested, Nullable, Optional } from '../decorators/index.ts';
import { Address } from './address.ts';

export class Series {
  @IsAnyText(12) code: string;
  @IsAnyText(60) format: string;
  @IsWhole({ min: 1, max: 999_999_999 }) start: number;
}

/** The series of each type of document. */
export class SeriesSet {
  @Nested(() => Series) standard: Series;
  @Nested(() => Series) credit_note: Series;
  @Nested(() => Series) corrective: Series;
  @Nested(() => Series) receipt: Series;
}

/** A business unit: a place of business or a till location. */
export class Unit {
  @IsAnyText(40) code: string;
  @Optional() @Nullable() @Nested(() => Address) address?: Address | null;
  @Optional() @AnyTextList(40, { max: 100 }) devices?: string[];
}

export class Operator {
  @IsAnyText(40) code: string;
  @IsAnyText(255) name: string;
}
