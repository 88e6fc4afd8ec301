import type { CreateExport, ExportKind, JobFailure } from '@svc/contracts/console/jobs';
import type { Collection, Doc, DocumentStore } from '@svc/document-store';
import { jobIndexes, type MemberJob } from '../member-jobs/member-job.ts';

/** How long a ZIP is kept. */
export const KEPT_MS = 24 * 3_600_000;

/** What is asked for. */
export type Asked = Omit<CreateExport, 'kind'>;

/** A ZIP that is being made, or is made. `_id` is `exp_…`. Its bytes lie in pieces. */
export interface Export extends MemberJob {
  kind: ExportKind;
  asked: Asked;
  /** null: all is in the ZIP. */
  cursor: Cursor | null;
  missing: JobFailure[];
  zip: Zip;
}

/** Where an export is in its lists: in the days `from` to `to`. */
export interface Cursor {
  list: number;
  from: string;
  to: string;
  /** Documents of these days up to the last one that is done, as they were when it was read: others leave the list and come meanwhile. */
  read: number;
  /** Ids of those that are done, the latest last. */
  seen: string[];
}

/** How far a ZIP is. */
export interface Zip {
  /** Pieces of files, and their bytes. */
  pieces: number;
  bytes: number;
  /** Those of the directory. */
  records: number;
  directory: number;
  /** Files that are whole. */
  files: number;
  /** The file that is being written in several steps: where it begins, its checksum and sizes so far; null: none is. */
  open: { offset: number; crc: number; packed: number; size: number } | null;
}

export const emptyZip: Zip = { pieces: 0, bytes: 0, records: 0, directory: 0, files: 0, open: null };

/** A part of a ZIP, in base64. `_id`: that of the export, `f` (files) or `d` (directory), and a count from 0. */
export interface Piece extends Doc {
  bytes: string;
}

export interface ExportRows {
  exports: Collection<Export>;
  pieces: Collection<Piece>;
}

export const exportRows = (documents: DocumentStore): ExportRows => ({
  exports: documents.collection<Export>('exports', { indexes: jobIndexes }),
  pieces: documents.collection<Piece>('export_pieces', { texts: ['bytes'] }),
});
