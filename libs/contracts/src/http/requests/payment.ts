import { About, IsDay, IsMetadata, IsMoney, IsText, Nullable, OneOf, Optional } from '../decorators/index.ts';
import { paymentMethods } from '../vocabulary.ts';
import type { PaymentMethod } from '../vocabulary.ts';
import type { MetadataInput, MoneyInput } from './money.ts';

export class CreatePayment {
  @About('Amount paid, above 0.') @IsMoney({ sign: 'positive' }) amount: MoneyInput;
  @About('Day of the payment.') @IsDay() paid_at: string;
  @About('Method of payment.') @Optional() @Nullable() @OneOf(paymentMethods) method?: PaymentMethod | null;
  @About('Reference of the payment, such as a transfer’s.') @Optional() @Nullable() @IsText() reference?: string | null;
  @About('Your own pairs: at most 50, keys of at most 40 characters, values of at most 500.')
  @Optional()
  @IsMetadata()
  metadata?: MetadataInput;
}
