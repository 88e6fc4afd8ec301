import {
  IsCurrency,
  IsFlag,
  IsMetadata,
  IsMoney,
  IsPrefixedId,
  IsText,
  NestedList,
  Nullable,
  OneOf,
  Optional,
  Together,
  eitherOf,
} from '../decorators/index.ts';
import { paymentMethods } from '../vocabulary.ts';
import type { PaymentMethod } from '../vocabulary.ts';
import { ItemInput } from './item.ts';
import type { MetadataInput, MoneyInput } from './money.ts';

export class ReceiptPaymentInput {
  @OneOf(paymentMethods) method: PaymentMethod;
  @IsMoney() amount: MoneyInput;
}

@Together(eitherOf('payment_method', 'payments'))
export class CreateReceipt {
  @NestedList(() => ItemInput, { min: 1, max: 500 }) items: ItemInput[];
  @Optional() @OneOf(paymentMethods) payment_method?: PaymentMethod;
  /** They sum to the total. */
  @Optional() @NestedList(() => ReceiptPaymentInput, { min: 1, max: 20 }) payments?: ReceiptPaymentInput[];
  @Optional() @Nullable() @IsPrefixedId('cust') customer_id?: string | null;
  @Optional() @IsCurrency() currency?: string;
  /** True when left out. */
  @Optional() @IsFlag() prices_include_tax?: boolean;
  /** Business unit, device and operator: codes of the issuer, its first when left out. */
  @Optional() @Nullable() @IsText(40) unit?: string | null;
  @Optional() @Nullable() @IsText(40) device?: string | null;
  @Optional() @Nullable() @IsText(40) operator?: string | null;
  @Optional() @Nullable() @IsText(2000) notes?: string | null;
  @Optional() @IsMetadata() metadata?: MetadataInput;
}
