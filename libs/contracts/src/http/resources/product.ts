import {
  IsAnyText,
  IsCurrency,
  IsExact,
  IsFlag,
  IsPrefixedId,
  IsTimestamp,
  NestedList,
  Nullable,
  OneOf,
  Optional,
} from '../decorators/index.ts';
import { ResourceHead } from './head.ts';
import { Tax } from './line.ts';

export class ProductResource extends ResourceHead {
  @IsPrefixedId('prod') id: string;
  @OneOf(['product']) object: 'product';
  @IsAnyText(255) name: string;
  @Nullable() @IsAnyText(2000) description: string | null;
  @Nullable() @IsAnyText(255) sku: string | null;
  @IsAnyText(3) unit: string;
  @Nullable() @IsExact() unit_price: number | null;
  @Nullable() @IsCurrency() currency: string | null;
  /** Null: the issuer's default. */
  @Nullable() @NestedList(() => Tax, { max: 10 }) taxes: Tax[] | null;
  @Optional() @Nullable() @IsExact() tax_rate?: number | null;
  @IsFlag() active: boolean;
  @Nullable() @IsTimestamp() deleted_at: string | null;
}
