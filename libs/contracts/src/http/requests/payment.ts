import { IsDay, IsMetadata, IsMoney, IsText, Nullable, OneOf, Optional } from '../decorators/index.ts';
import { paymentMethods } from '../vocabulary.ts';
import type { PaymentMethod } from '../vocabulary.ts';
import type { MetadataInput, MoneyInput } from './money.ts';

export class CreatePayment {
  @IsMoney({ sign: 'positive' }) amount: MoneyInput;
  @IsDay() paid_at: string;
  @Optional() @Nullable() @OneOf(paymentMethods) method?: PaymentMethod | null;
  @Optional() @Nullable() @IsText() reference?: string | null;
  @Optional() @IsMetadata() metadata?: MetadataInput;
}
