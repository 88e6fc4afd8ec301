import { documentKinds, documents, type DocumentKind, type Documents } from '../documents.ts';
import { About, Fields, IsAnyText, IsSeries, IsSeriesFormat, IsWhole, Nested, Optional } from '../schema/decorators/index.ts';

/** What a series numbers: `standard`, `receipt`. */
export type SeriesKind = { [Kind in DocumentKind]: keyof Documents[Kind]['series'] }[DocumentKind];
/** The number series of an issuer, with the code that each has by default. */
export const numberSeries = Object.assign({}, ...documentKinds.map((kind) => documents[kind].series)) as Record<
  SeriesKind,
  { code: string; about: string }
>;
export const seriesKinds = Object.keys(numberSeries) as SeriesKind[];

export class Series {
  @About('Code, the `{series}` of the format.') @IsAnyText(12) code: string;
  @About('How numbers are written: `{series} {year} {unit} {device} {seq} {seq:6}`.') @IsAnyText(60) format: string;
  @About('First number; it can be set until a number is taken.') @IsWhole({ min: 1, max: 999_999_999 }) start: number;
}

/** The series of each document type. */
@Fields(seriesKinds, (kind) => [About(numberSeries[kind].about), Nested(() => Series)])
export class SeriesSet {}

export class SeriesInput {
  @About('Code, the `{series}` of the format: 1 to 12 capitals and digits.') @Optional() @IsSeries() code?: string;
  @About('How numbers are written: `{series} {year} {unit} {device} {seq} {seq:6}`.') @Optional() @IsSeriesFormat() format?: string;
  @About('First number; it can be set until a number is taken.') @Optional() @IsWhole({ min: 1, max: 999_999_999 }) start?: number;
}

@Fields(seriesKinds, (kind) => [About(numberSeries[kind].about), Optional(), Nested(() => SeriesInput)])
export class SeriesSetInput {}
