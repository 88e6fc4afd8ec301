import type { Fiscal } from './fiscal.ts';
import type { Item } from '@svc/totals/line';
import type { DocumentAdjustment, Terms, Totals } from '@svc/totals/terms';
import type { Numbering } from '../../numbering/domain/numbering.ts';
import type { FrozenCustomer, FrozenParties } from './parties.ts';

/** One number for ever. */
export interface Issue {
  number: string;
  seq: number;
  issued_at: string;
}

export interface VoidRequest {
  /** null: a draft was voided without one. */
  reason: string | null;
  requested_at: string;
  voided_at: string | null;
  /** Why the authority refused, and which request; null: that for a corrective. */
  refused: { code: string; message: string; cancellation: number | null } | null;
  /** Id of the corrective that carries it out. Absent: the authority annuls, or nothing was registered. */
  document?: string;
}

/** The authority has been, or will be, asked to annul it, or to register the corrective that takes it back. */
export interface Voiding {
  status: 'voiding';
  void: VoidRequest;
  /** The earlier request (`cancellation`) that the authority refused: a repeated refusal of it does not answer this one. */
  refused_before: number | null;
  /** Of the corrective. Absent: it is annulled. */
  numbering?: Numbering;
}

export interface Voided {
  status: 'voided';
  void: VoidRequest;
}

/** What callers write of every document, every default filled in. */
export interface DocumentContent {
  items: Item[];
  discounts: DocumentAdjustment[];
  charges: DocumentAdjustment[];
  currency: string;
  prices_include_tax: boolean;
  rounding: Terms['rounding'];
  series: string;
  notes: string | null;
  metadata: Record<string, string>;
}

export interface Written<Content> {
  id: string;
  livemode: boolean;
  created_at: string;
  content: Content;
  totals: Totals;
}

/** What every document has once it has its number, and goes or went to the authority. `issue_date`: with the number where no caller can name it. */
export interface NumberedDocument<
  Content = DocumentContent & { issue_date?: string | null },
  Customer = FrozenCustomer | null,
> extends Written<Content> {
  status: string;
  updated_at: string;
  issue: Issue & { issue_date?: string };
  /** Names its count: what of the series' stream follows the account. Absent where the request for the number was not read. */
  series_key?: string;
  /** Counts the submissions, from 1. */
  round: number;
  /** As of the last submission. */
  parties: FrozenParties<Customer>;
  fiscal: Fiscal;
}

export const isNumbered = (state: object | null): state is NumberedDocument => state !== null && 'issue' in state && state.issue !== null;
