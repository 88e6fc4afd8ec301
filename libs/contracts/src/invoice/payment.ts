import { Writes } from '../schema/decorators/metadata.ts';
import { type PaymentMethod, paymentMethods } from '../document/vocabulary.ts';
import {
  About,
  IsAnyText,
  IsCurrency,
  IsDay,
  IsExact,
  IsFlag,
  OwnMetadata,
  IsMoney,
  IsPrefixedId,
  IsText,
  IsTimestamp,
  KeptMetadata,
  type MetadataInput,
  type MoneyInput,
  Nullable,
  OneOf,
  Optional,
} from '../schema/decorators/index.ts';

@Writes(() => PaymentResource)
export class CreatePayment {
  @About('Amount paid, above 0.') @IsMoney({ sign: 'positive' }) amount: MoneyInput;
  @About('Day of the payment, not in the future (in the issuer’s time zone).') @IsDay() paid_at: string;
  @About('Method of payment.') @Optional() @Nullable() @OneOf(paymentMethods) method?: PaymentMethod | null;
  @About('Reference of the payment, such as a transfer’s.') @Optional() @Nullable() @IsText() reference?: string | null;
  @OwnMetadata() metadata?: MetadataInput;
}

/** A payment of an invoice. It is part of the invoice and has its version. */
export class PaymentResource {
  @About('Identifier.') @IsPrefixedId('pay') id: string;
  @About('Kind of resource.') @OneOf(['payment']) object: 'payment';
  @About('True for a live key, false in the sandbox.') @IsFlag() livemode: boolean;
  @About('Invoice that was paid.') @IsPrefixedId('inv') invoice_id: string;
  @About('Amount paid.') @IsExact() amount: number;
  @About('ISO 4217 code.') @IsCurrency() currency: string;
  @About('Day of the payment.') @IsDay() paid_at: string;
  @About('Method of payment.') @Nullable() @IsAnyText(255) method: string | null;
  @About('Reference of the payment, such as a transfer’s.') @Nullable() @IsAnyText(255) reference: string | null;
  @KeptMetadata() metadata: Record<string, string>;
  @About('When it was created, UTC.') @IsTimestamp() created_at: string;
  @About('When it last changed, UTC.') @Optional() @IsTimestamp() updated_at?: string;
  @About('When it was reversed, UTC.') @Optional() @Nullable() @IsTimestamp() deleted_at?: string | null;
}
