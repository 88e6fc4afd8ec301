import { About, IsMoney, IsPercent, IsText, NestedList, Nullable, Optional, Together, eitherOf } from '../decorators/index.ts';
import type { MoneyInput } from './money.ts';
import { TaxInput } from './tax.ts';

/** A discount or a charge, of a line or of the document. */
@Together(eitherOf('percent', 'amount'))
export class AdjustmentInput {
  @About('Percentage of the gross amount. Either this or `amount`.') @Optional() @IsPercent() percent?: MoneyInput;
  @About('Fixed amount. Either this or `percent`.') @Optional() @IsMoney() amount?: MoneyInput;
  @About('Reason, as it is shown on the document.') @Optional() @Nullable() @IsText() reason?: string | null;
  @About('Of a document’s: the tax group that it belongs to. Left out, it is shared over all of them.')
  @Optional()
  @Nullable()
  @NestedList(() => TaxInput, { max: 10 })
  taxes?: TaxInput[] | null;
}
