import { ListLinks, ListMeta } from '../http/list.ts';
import {
  About,
  IsAnyText,
  IsCurrency,
  IsDay,
  IsExact,
  IsFlag,
  IsPrefixedId,
  IsTimestamp,
  Nested,
  NestedList,
  Nullable,
  OneOf,
} from '../schema/decorators/index.ts';

export class StatementTotal {
  @About('ISO 4217 code.') @IsCurrency() currency: string;
  @About('What was to be paid of the items: their totals without retained tax.') @IsExact() total: number;
  @About('What is due of them; below 0 is owed back.') @IsExact() due: number;
}

/** A registered invoice of which something is due, or owed back. */
export class StatementItem extends StatementTotal {
  @About('Identifier of the invoice.') @IsAnyText(64) document_id: string;
  @About('Its number.') @IsAnyText(255) number: string;
  @About('Day on which it was issued.') @IsDay() issue_date: string;
  @About('Day on which payment is due; the issue date where the invoice states none.') @IsDay() due_date: string;
}

export class StatementResource {
  @About('Kind of resource.') @OneOf(['statement']) object: 'statement';
  @About('True for a live key, false in the sandbox.') @IsFlag() livemode: boolean;
  @About('Customer.') @IsPrefixedId('cust') customer_id: string;
  @About('Name of the customer, as on the last of the invoices; null where they name none, or there are none.')
  @Nullable()
  @IsAnyText(255)
  customer_name: string | null;
  @About('Only what was issued, voided or paid on or before this day counts.') @IsDay() as_of: string;
  @About('The issuer’s time zone, in which days are counted.') @IsAnyText(64) time_zone: string;
  @About('How far the facts behind it were known.') @Nullable() @IsAnyText(255) position: string | null;
  @About('When it was made, UTC.') @IsTimestamp() generated_at: string;
  @About('The open items of this page, by due date, issue date and number.')
  @NestedList(() => StatementItem, { max: 100 })
  data: StatementItem[];
  @About('One entry per currency, over all pages.') @NestedList(() => StatementTotal, { max: 200 }) totals: StatementTotal[];
  @About('Where this page is in the list.') @Nested(() => ListMeta) meta: ListMeta;
  @About('Absolute links to other pages, with all filters.') @Nested(() => ListLinks) links: ListLinks;
}
