import { ItemInput } from '../document/line.ts';
import { type PaymentMethod, paymentMethods } from '../document/vocabulary.ts';
import {
  About,
  eitherOf,
  IsCurrency,
  IsFlag,
  IsMetadata,
  IsMoney,
  IsPrefixedId,
  IsReason,
  IsText,
  type MetadataInput,
  type MoneyInput,
  NestedList,
  Nullable,
  OneOf,
  Optional,
  Together,
} from '../schema/decorators/index.ts';

export class VoidReceipt {
  @About('Why it is voided.') @IsReason() reason: string;
}

export class ReceiptPaymentInput {
  @About('Method of payment.') @OneOf(paymentMethods) method: PaymentMethod;
  @About('Amount paid in this way.') @IsMoney() amount: MoneyInput;
}

@Together(eitherOf('payment_method', 'payments'))
export class CreateReceipt {
  @About('Lines, at least one.') @NestedList(() => ItemInput, { min: 1, max: 500 }) items: ItemInput[];
  @About('How it was paid. Either this or `payments`.') @Optional() @OneOf(paymentMethods) payment_method?: PaymentMethod;
  @About('How it was paid, where in several ways; they sum to the total. Either this or `payment_method`.')
  @Optional()
  @NestedList(() => ReceiptPaymentInput, { min: 1, max: 20 })
  payments?: ReceiptPaymentInput[];
  @About('Customer, if it is known.') @Optional() @Nullable() @IsPrefixedId('cust') customer_id?: string | null;
  @About('ISO 4217 code; the issuer’s when left out.') @Optional() @IsCurrency() currency?: string;
  @About('Whether `unit_price` includes tax; true when left out.') @Optional() @IsFlag() prices_include_tax?: boolean;
  @About('Code of the business unit; the issuer’s first when left out.') @Optional() @Nullable() @IsText(40) unit?: string | null;
  @About('Code of the till; the unit’s first when left out.') @Optional() @Nullable() @IsText(40) device?: string | null;
  @About('Code of the operator; the issuer’s first when left out.') @Optional() @Nullable() @IsText(40) operator?: string | null;
  @About('Free text on the document.') @Optional() @Nullable() @IsText(2000) notes?: string | null;
  @About('Your own pairs: at most 50, keys of at most 40 characters, values of at most 500.')
  @Optional()
  @IsMetadata()
  metadata?: MetadataInput;
}
