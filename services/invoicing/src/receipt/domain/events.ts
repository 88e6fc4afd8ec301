import { storedEvents, type Details } from '@svc/kernel';
import { fiscalEventVersions, type At, type FiscalEventOf } from '../../document/domain/events.ts';
import type { FrozenIssuer, PersonalPart } from '../../document/domain/parties.ts';
import type { Issue } from '../../document/domain/state.ts';
import type { Numbering } from '../../series/domain/numbering.ts';
import type { ReceiptFacts, RequestedFacts } from './state.ts';

export type ReceiptEvent =
  /**
   * The number is taken next: see series/numbering.ts. Nobody sees the receipt before it has it. `personal` is encrypted, null where the receipt
   * names no customer or the key is destroyed; where it is absent (v1) the customer stands in `parties` whole. `earlier_release`: stored as
   * v1; it is not stored itself.
   */
  | At<
      'ReceiptRequested',
      Omit<RequestedFacts, 'created_at'> & { numbering: Numbering; personal?: PersonalPart | null; earlier_release?: true }
    >
  /** No number was taken, and nobody has seen the receipt: its numbers are another series', or the customer was erased. */
  | At<'ReceiptRefused', { details: Details }>
  /** Everything that is known of it: whoever reads the receipt need not have seen what was before. */
  | At<'ReceiptIssued', ReceiptFacts & Issue & { issue_date: string }>
  /** After a rejection for credentials or setup. */
  | At<'ReceiptResubmitted', { round: number; issuer: FrozenIssuer }>
  | FiscalEventOf<'Receipt'>;

/** Version of each shape as it is written today. */
export const receiptEventVersions: Record<ReceiptEvent['type'], number> = {
  ReceiptRequested: 2,
  ReceiptRefused: 1,
  ReceiptIssued: 1,
  ReceiptResubmitted: 1,
  ...fiscalEventVersions('Receipt'),
};

/** Stored JSON to today's events. A shape that changes gets its step here (`'ReceiptIssued.1': (data) => …`) and a spec with the old JSON. */
export const receiptEvents = storedEvents<ReceiptEvent>(receiptEventVersions, {
  'ReceiptRequested.1': (data: object) => ({ ...data, earlier_release: true }),
});
