import type { Grouping } from '@svc/contracts/report/query';
import type { ReportName } from '@svc/contracts/report/vocabulary';
import type { Decimal } from '@svc/kernel';
import type { Counted } from '../facts/counted.ts';

/** What tells a row from the others, beside its currency. A null comes after all else. */
export type Key = Record<string, string | Decimal | null>;

/** What one counted document adds to one row. Amounts as on the document: `Counted.sign` is put on where they are added up. */
export interface Part {
  key: Key;
  amounts: Record<string, Decimal>;
  /** The document's part of the row, as cited. */
  referenceAmount: Decimal;
}

/** A report is what each counted document adds to which rows; everything else is common to all. */
export interface Report {
  name: ReportName;
  description: string;
  /** What `group_by` may say, the default first; none where it takes no `group_by`. */
  groupings: readonly Grouping[];
  /** At most one part per key. */
  parts(counted: Counted, grouping: Grouping | undefined): Part[];
}
