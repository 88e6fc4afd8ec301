import { Address } from '../address.ts';
import { About, AnyTextList, IsAnyText, Nested, Nullable, Optional, Personal } from '../schema/decorators/index.ts';

/** A business unit: a place of business or a till location. */
export class Unit {
  @About('Code of the unit.') @IsAnyText(40) code: string;
  @About('Where the unit is.') @Personal() @Optional() @Nullable() @Nested(() => Address) address?: Address | null;
  @About('Codes of the tills of this unit.') @Optional() @AnyTextList(40, { max: 100 }) devices?: string[];
}

export class Operator {
  @About('Code of the operator.') @IsAnyText(40) code: string;
  @About('Name of the operator.') @Personal() @IsAnyText(255) name: string;
}
