import {
  IsCurrency,
  IsDay,
  IsFlag,
  IsMetadata,
  IsMetadataPatch,
  IsPrefixedId,
  IsSeries,
  IsText,
  NestedList,
  Nullable,
  OneOf,
  Optional,
  Together,
} from '../decorators/index.ts';
import type { Condition } from '../decorators/index.ts';
import { documentTypes, roundings } from '../vocabulary.ts';
import type { DocumentType, Rounding } from '../vocabulary.ts';
import { AdjustmentInput } from './adjustment.ts';
import { ItemInput } from './item.ts';
import type { MetadataInput, MetadataPatch } from './money.ts';

const correction: Condition = {
  schema: {
    if: { required: ['type'], properties: { type: { enum: ['credit_note', 'corrective'] } } },
    then: { required: ['corrects'], properties: { corrects: { type: 'string' } } },
  },
  problem: ({ type, corrects }) =>
    (type === 'credit_note' || type === 'corrective') && typeof corrects !== 'string'
      ? ['corrects', `A ${type} needs the id of the submitted invoice that it corrects.`]
      : undefined,
};

@Together(correction)
export class CreateInvoice {
  @Optional() @OneOf(documentTypes) type?: DocumentType;
  @IsPrefixedId('cust') customer_id: string;
  @NestedList(() => ItemInput, { min: 1, max: 500 }) items: ItemInput[];
  @Optional() @Nullable() @NestedList(() => AdjustmentInput, { max: 50 }) discounts?: AdjustmentInput[] | null;
  @Optional() @Nullable() @NestedList(() => AdjustmentInput, { max: 50 }) charges?: AdjustmentInput[] | null;
  @Optional() @IsCurrency() currency?: string;
  @Optional() @IsFlag() prices_include_tax?: boolean;
  @Optional() @OneOf(roundings) rounding?: Rounding;
  @Optional() @IsSeries() series?: string;
  /** Null: the day of numbering. */
  @Optional() @Nullable() @IsDay() issue_date?: string | null;
  @Optional() @Nullable() @IsDay() due_date?: string | null;
  @Optional() @Nullable() @IsPrefixedId('inv') corrects?: string | null;
  @Optional() @Nullable() @IsText(2000) notes?: string | null;
  @Optional() @IsMetadata() metadata?: MetadataInput;
}

/** A JSON merge patch (RFC 7396); lists are replaced whole. Type and corrects stay what they were at creation. */
export class UpdateInvoice {
  @Optional() @IsPrefixedId('cust') customer_id?: string;
  @Optional() @NestedList(() => ItemInput, { min: 1, max: 500 }) items?: ItemInput[];
  @Optional() @Nullable() @NestedList(() => AdjustmentInput, { max: 50 }) discounts?: AdjustmentInput[] | null;
  @Optional() @Nullable() @NestedList(() => AdjustmentInput, { max: 50 }) charges?: AdjustmentInput[] | null;
  @Optional() @IsCurrency() currency?: string;
  @Optional() @IsFlag() prices_include_tax?: boolean;
  @Optional() @OneOf(roundings) rounding?: Rounding;
  @Optional() @IsSeries() series?: string;
  @Optional() @Nullable() @IsDay() issue_date?: string | null;
  @Optional() @Nullable() @IsDay() due_date?: string | null;
  @Optional() @Nullable() @IsText(2000) notes?: string | null;
  @Optional() @Nullable() @IsMetadataPatch() metadata?: MetadataPatch;
}
