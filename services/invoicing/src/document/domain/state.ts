import type { Fiscal } from './fiscal.ts';
import type { Item } from '@svc/totals/line';
import type { DocumentAdjustment, Terms, Totals } from '@svc/totals/terms';
import type { Numbering, NumberTaken } from '../../numbering/domain/numbering.ts';
import type { FrozenCustomer, FrozenParties, NamedCustomer } from './parties.ts';
import type { Details } from '@svc/kernel';

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
  /** The first number of the count; absent as that. */
  first_seq?: number;
  /** Counts the submissions, from 1. */
  round: number;
  /** As of the last submission. */
  parties: FrozenParties<Customer>;
  fiscal: Fiscal;
}

export const isNumbered = (state: object | null): state is NumberedDocument => state !== null && 'issue' in state && state.issue !== null;

/** A document that asked for its number, which is being taken: nothing else can happen to it. `null` as customer: it names none. */
export interface BeingNumbered<None extends null = never> {
  status: 'being_numbered';
  numbering: Numbering;
  /** Which time a number is asked for, from 1: the answer to an earlier request does not count. Absent: it asks once. */
  request?: number;
  /** The customer's personal data stand in the stream alone, so that erasing them leaves no copy. Of a corrective that carries out a void: in clear. */
  parties: FrozenParties<NamedCustomer | FrozenCustomer | None>;
}

export const isBeingNumbered = (state: object | null): state is BeingNumbered<null> =>
  state !== null && 'status' in state && state.status === 'being_numbered';

/** The answer of the series to `request`. `parties`: as a legal record. */
export type NumberCommand = { at: string; request: number } & (
  { type: 'number'; taken: NumberTaken; parties: FrozenParties<FrozenCustomer | null> } | { type: 'refuse_number'; details: Details }
);

/** What a document corrects, as it was registered: authorities want more of it than its id. */
export interface CorrectedDocument {
  number: string;
  issue_date: string;
  issued_at: string;
  issuer_code: string | null;
  fiscal_code: string | null;
}

/** It is registered, so none of this changes any more. */
export function correctedOf({ issue, content, fiscal }: NumberedDocument): CorrectedDocument {
  const { number, issued_at } = issue;
  const issue_date = issue.issue_date ?? content.issue_date ?? issued_at.slice(0, 10);
  return { number, issue_date, issued_at, issuer_code: fiscal.issuer_code, fiscal_code: fiscal.code };
}
