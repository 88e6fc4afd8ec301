import type { DocumentType, Sourced } from '../rules.ts';
import type { RuledIssuer, RuledDocument, RuledTax } from '../ruled.ts';

/** What is wrong, by field: its path, such as `items.0.quantity`. */
export type Problems = [field: string, message: string][];

/** `days`: after the issue. `no_internet`: of what was issued without internet, the end of this day of the next month, in the zone (IANA). */
export interface LateWindow {
  days: number;
  no_internet: { until_day: number; zone: string };
}

/** What an authority takes beyond the law of its country. `id`: as the issuer's `authority`. */
export interface AuthorityRules {
  id: string;
  /** ISO 3166-1 alpha-2: whose authority it is. */
  country: string;
  /** ISO 4217: in which its amounts are. What an issuer counts in another one would be sent as if it was this. */
  currency: string;
  /** Document of the authority: title, version. */
  source: string;
  /** The formats of numbers, which are then no setting. All documents but receipts share one count, and receipts too where both are equal. */
  number_formats?: Sourced & { invoice: string; receipt: string };
  /** The largest total of a receipt, in the issuer's currency, decimal text: more is an invoice. */
  receipt_total?: Sourced & { most: string };
  /** Records name an installation of the issuer. */
  has_installation?: boolean;
  /** It takes documents together, some time after they were issued. */
  in_batches?: boolean;
  /** It registers a document as of the day on which it took its number: there is no other issue date. */
  registers_day_of_number?: boolean;
  /** Until when it takes what is late. Absent: it sets no end. */
  window?: LateWindow;
  /** What the issuer lacks, by its field, for a document of the type; without one, for any. */
  setup(issuer: RuledIssuer, type?: DocumentType): Problems;
  /** By name of the rule: what keeps the document from being sent. */
  checks: Readonly<Record<string, (document: RuledDocument, issuer: RuledIssuer) => Problems>>;
}

/** The one reason that an issuer states. All others follow from what happened. */
export const LATE_REASON = 'no_internet';

/** A reason that no authority knows would be guessed. */
export const lateReason = ({ late_reason = null }: RuledDocument): Problems =>
  late_reason === null || late_reason === LATE_REASON
    ? []
    : [['late_reason', `is ${LATE_REASON} or nothing: all other reasons follow from the attempts, and paper books cannot be stated.`]];

/** Every tax of the items with its path. */
export const taxesOfItems = ({ items }: RuledDocument): { path: string; tax: RuledTax }[] =>
  items.flatMap(({ taxes }, n) => taxes.map((tax, m) => ({ path: `items.${n}.taxes.${m}`, tax })));
