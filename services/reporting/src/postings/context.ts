import type { Clock } from '@svc/kernel';
import type { Logger } from '@svc/service';
import type { Blocks, BlockSums } from './block.ts';
import type { Epochs } from './epoch.ts';
import type { HeldEvents } from './held-event.ts';
import type { IssuerZones } from './issuer-zone.ts';
import type { KnownDocuments } from './known-document.ts';
import type { Postings } from './posting.ts';
import type { Parties, PartyCopies } from './party.ts';
import type { RaisedRows } from './raised-numbers.ts';
import type { Progress } from './progress.ts';

/** Nest's injection token of `ReportingContext`. */
export const REPORTING = Symbol('reporting');

/** What documents have become here. */
export interface Ledger {
  postings: Postings;
  known: KnownDocuments;
  held: HeldEvents;
  /** In which rows are stored. */
  epochs: Epochs;
  /** Who invoices are between, for the heads of statements. */
  parties: Parties;
  copies: PartyCopies;
  /** Numbers that are skipped after a restore. */
  raised: RaisedRows;
  /** Time zones that issuers were set to. */
  zones: IssuerZones;
  /** Postings in blocks, and the sums of each. */
  blocks: Blocks;
  sums: BlockSums;
}

/** The dependencies of all parts of this service. */
export interface ReportingContext extends Ledger {
  progress: Progress;
  clock: Clock;
  logger: Logger;
  /** Public origin without a trailing slash. */
  publicUrl: string;
}
