import { storedEvents, type Details } from '@svc/kernel';
import { fiscalEventVersions, type At, type FiscalEventOf } from '../../document/domain/events.ts';
import type { FrozenIssuer, PersonalPart } from '../../document/domain/parties.ts';
import type { Issue } from '../../document/domain/state.ts';
import type { Numbering } from '../../numbering/domain/numbering.ts';
import type { ReceiptFacts, RequestedFacts } from './state.ts';

export type ReceiptEvent =
  /**
   * The number is taken next: see series/numbering.ts. Nobody sees the receipt before it has it. `personal` is encrypted, null where the receipt
   * names no customer or the key is destroyed.
   */
  | At<'ReceiptRequested', Omit<RequestedFacts, 'created_at'> & { numbering: Numbering; personal: PersonalPart | null }>
  /** The corrective by which a receipt is voided, made by the process manager, with the parties of the original, a legal record already. */
  | At<'ReceiptReversalDrafted', Omit<ReceiptFacts, 'created_at'> & { numbering: Numbering }>
  /** No number was taken, and nobody has seen the receipt: its numbers are another series', or the customer was erased. */
  | At<'ReceiptRefused', { details: Details } & Settles>
  /** Everything that is known of it: whoever reads the receipt need not have seen what was before. */
  | At<'ReceiptIssued', ReceiptFacts & Issue & { issue_date: string }>
  /** The same of a corrective: a type of its own, so that no reader of `ReceiptIssued` takes it for a sale. */
  | At<'ReceiptReversalIssued', ReceiptFacts & Issue & { issue_date: string }>
  /** After a rejection for credentials or setup. */
  | At<'ReceiptResubmitted', { round: number; issuer: FrozenIssuer; late_reason?: string }>
  | FiscalEventOf<'Receipt'>;

/** What a command has to inform next: the receipt that a corrective takes back (`corrects`), or that the corrective is to be made (`reversal`, its id). */
export interface Settles {
  corrects?: string;
  reversal?: string;
}

/** Version of each shape as it is written today. */
export const receiptEventVersions: Record<ReceiptEvent['type'], number> = {
  ReceiptRequested: 2,
  ReceiptReversalDrafted: 1,
  ReceiptRefused: 1,
  ReceiptIssued: 1,
  ReceiptReversalIssued: 1,
  ReceiptResubmitted: 1,
  ...fiscalEventVersions('Receipt'),
};

/** Stored JSON to today's events. A shape that changes gets its step here (`'ReceiptIssued.1': (data) => …`) and a spec with the old JSON. */
export const receiptEvents = storedEvents<ReceiptEvent>(receiptEventVersions);
