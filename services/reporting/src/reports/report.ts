import type { Grouping } from '@svc/contracts/report/query';
import type { ReportName } from '@svc/contracts/report/rows';
import type { Decimal } from '@svc/kernel';
import type { Counted } from '../facts/counted.ts';

/** What identifies a row besides its currency. null sorts last. */
export type Key = Record<string, string | Decimal | null>;

/** What one counted document adds to one row. Amounts as on the document; `Counted.sign` is applied when they are summed. */
export interface Part {
  key: Key;
  amounts: Record<string, Decimal>;
  /** The amount that the row cites for the document. */
  referenceAmount: Decimal;
}

/** A report: what each counted document adds to which rows. The rest is common to all reports. */
export interface Report {
  name: ReportName;
  description: string;
  /** Values of `group_by`, the default first; empty when the report takes none. */
  groupings: readonly Grouping[];
  /** At most one part per key. */
  parts(counted: Counted, grouping: Grouping | undefined): Part[];
}
