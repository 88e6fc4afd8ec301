import { IsMoney, IsPercent, IsText, NestedList, Nullable, Optional, Together, eitherOf } from '../decorators/index.ts';
import type { MoneyInput } from './money.ts';
import { TaxInput } from './tax.ts';

/** A discount or a charge, of a line or of the document. */
@Together(eitherOf('percent', 'amount'))
export class AdjustmentInput {
  @Optional() @IsPercent() percent?: MoneyInput;
  @Optional() @IsMoney() amount?: MoneyInput;
  @Optional() @Nullable() @IsText() reason?: string | null;
  /** Of a document's: the tax group that it belongs to. Left out, it is shared over all of them. */
  @Optional() @Nullable() @NestedList(() => TaxInput, { max: 10 }) taxes?: TaxInput[] | null;
}
