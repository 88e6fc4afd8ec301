import {
  IsAnyText,
  IsCurrency,
  IsDay,
  IsExact,
  IsFlag,
  KeptMetadata,
  IsPrefixedId,
  IsTimestamp,
  Nullable,
  OneOf,
  Optional,
} from '../decorators/index.ts';

/** A payment of an invoice, part of it: its version is the invoice's. */
export class PaymentResource {
  @IsPrefixedId('pay') id: string;
  @OneOf(['payment']) object: 'payment';
  @IsFlag() livemode: boolean;
  @IsPrefixedId('inv') invoice_id: string;
  @IsExact() amount: number;
  @IsCurrency() currency: string;
  @IsDay() paid_at: string;
  @Nullable() @IsAnyText(255) method: string | null;
  @Nullable() @IsAnyText(255) reference: string | null;
  @KeptMetadata() metadata: Record<string, string>;
  @IsTimestamp() created_at: string;
  @Optional() @IsTimestamp() updated_at?: string;
  /** Set when it was reversed. */
  @Optional() @Nullable() @IsTimestamp() deleted_at?: string | null;
}
