import type { Delay, Registration, Rejection, Tried, VoidRefusal } from '../../invoice/domain/fiscal.ts';
import type { FrozenIssuer } from '../../invoice/domain/parties.ts';
import type { Issue } from '../../invoice/domain/state.ts';
import type { Numbering } from '../../series/numbering.ts';
import type { ReceiptFacts } from './state.ts';

interface At<Type extends string, Data> {
  type: Type;
  /** `at`: ISO 8601. */
  data: Data & { at: string };
}

export type ReceiptEvent =
  /** The number is taken next: see series/numbering.ts. Nobody sees the receipt before it has it. */
  | At<'ReceiptRequested', Omit<ReceiptFacts, 'created_at'> & { numbering: Numbering }>
  /** Everything that is known of it: whoever reads the receipt need not have seen what was before. */
  | At<'ReceiptIssued', ReceiptFacts & Issue & { issue_date: string }>
  /** After a rejection for credentials or setup. */
  | At<'ReceiptResubmitted', { round: number; issuer: FrozenIssuer }>
  | At<'ReceiptRegistered', Registration & { round: number }>
  | At<'ReceiptRejected', Rejection & { round: number }>
  | At<'ReceiptDelayed', Delay & { round: number }>
  | At<'ReceiptVoidRequested', { reason: string }>
  | At<'ReceiptVoided', { reason: string; cancelled: Tried | null }>
  | At<'ReceiptVoidRefused', VoidRefusal>;

/** Version of each shape as it is written today. */
export const receiptEventVersions: Record<ReceiptEvent['type'], number> = {
  ReceiptRequested: 1,
  ReceiptIssued: 1,
  ReceiptResubmitted: 1,
  ReceiptRegistered: 1,
  ReceiptRejected: 1,
  ReceiptDelayed: 1,
  ReceiptVoidRequested: 1,
  ReceiptVoided: 1,
  ReceiptVoidRefused: 1,
};
