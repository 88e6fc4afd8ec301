import { publicEvent } from '../events/public-event.ts';
import { topics } from '../events/envelope.ts';
import { IsAnyText, IsDay, IsWhole, Nullable } from '../schema/decorators/index.ts';

const NUMBER = { min: 0, max: Number.MAX_SAFE_INTEGER };

/** Numbers that a series skips, since an operator has said after a restore that they are in use. */
export class RaisedNumbers {
  /** `<series>[.<unit>[.<device>]][.<year>]`, as in the entry of a number; the subject too. */
  @IsAnyText(255) series_key: string;
  /**
   * The last number before it that the series knows, taken or raised to, else the one before the count's first. until 0.3: null where its event is of release
   * 0.1.0.
   */
  @Nullable() @IsWhole(NUMBER) after_seq: number | null;
  /** The last number that is skipped. */
  @IsWhole(NUMBER) to_seq: number;
  /** The last issue date in use, as the operator has said. */
  @IsDay() issue_date: string;
}

export const NumbersRaisedV1 = publicEvent({ type: 'invoicing.numbers-raised.v1', topic: topics.series, data: RaisedNumbers });
