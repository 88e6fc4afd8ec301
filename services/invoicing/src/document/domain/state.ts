import type { Fiscal } from './fiscal.ts';
import type { FrozenCustomer, FrozenParties } from './parties.ts';

/** One number for ever. */
export interface Issue {
  number: string;
  seq: number;
  issued_at: string;
}

/** A request to void, and its outcome. */
export interface VoidRequest {
  /** null: a draft was voided without one. */
  reason: string | null;
  requested_at: string;
  voided_at: string | null;
  /** Why the authority refused, and which request. */
  refused: { code: string; message: string; cancellation: number } | null;
}

/** The authority has been, or will be, asked to annul it. */
export interface Voiding {
  status: 'voiding';
  void: VoidRequest;
  /** The earlier request (`cancellation`) that the authority refused: a repeated refusal of it does not answer this one. */
  refused_before: number | null;
}

export interface Voided {
  status: 'voided';
  void: VoidRequest;
}

/** What every document has once it has its number. */
export interface NumberedDocument {
  id: string;
  livemode: boolean;
  status: string;
  /** `issue_date`: in the content of a document whose caller can name the day, else with the number. */
  content: { series: string; issue_date?: string | null; metadata: Record<string, string> };
  issue: Issue & { issue_date?: string };
  /** Counts the submissions, from 1. */
  round: number;
  /** As of the last submission. */
  parties: FrozenParties<FrozenCustomer | null>;
  fiscal: Fiscal;
  void?: VoidRequest | null;
  late_reason?: string | null;
}
