import { About, IsAnyText, IsFlag, IsTimestamp, NestedList, OneOf } from '../schema/decorators/index.ts';

/** A link that opens without an API key for 15 minutes. */
export class DocumentFileResource {
  @About('Kind of resource.') @OneOf(['file']) object: 'file';
  @About('Link that opens without a key. Whoever has it can read the file.') @IsAnyText(8192) url: string;
  @About('When the link stops working, UTC.') @IsTimestamp() expires_at: string;
}

/** Master data that a rule of EN 16931 asks for and that the document does not have. */
export class MissingData {
  @About('Rule of EN 16931, such as `BR-11`.') @IsAnyText(40) rule: string;
  @About('Field of the invoice.') @IsAnyText(255) field: string;
  @About('What the rule asks for.') @IsAnyText(2000) message: string;
}

export class UblFileResource extends DocumentFileResource {
  @About('Whether the document conforms to EN 16931: nothing is missing.') @IsFlag() conforms: boolean;
  @About('What it lacks. The file is made all the same.') @NestedList(() => MissingData, { max: 100 }) missing: MissingData[];
}
