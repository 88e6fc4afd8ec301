import { OutcomeUnknown } from '@svc/kernel';

/** The data folder cannot be read or written: nothing was done. Repeating later may succeed. The message is for operators. */
export class DataFolderUnavailable extends Error {
  override readonly name = 'DataFolderUnavailable';
  readonly statusCode = 503;

  constructor(
    folder: string,
    readonly failure: DiskFailure,
    options?: ErrorOptions,
  ) {
    super(`the data folder ${folder} ${failure.why}`, options);
  }
}

export interface DiskFailure {
  why: string;
  /** Passes by itself once there is room, or the disk works again. */
  isTransient: boolean;
}

const damaged: DiskFailure = { why: 'has a damaged file: stop the process and restore data.sqlite from a backup', isTransient: false };

/** By SQLite's primary result codes; all others are of no disk. */
const diskFailures: Record<number, DiskFailure> = {
  8: { why: 'may not be written to', isTransient: true },
  10: { why: 'is on a disk that fails', isTransient: true },
  11: damaged,
  13: { why: 'is on a disk that is full', isTransient: true },
  14: { why: 'cannot be opened', isTransient: true },
  26: damaged,
};

/** The disk took a commit and did not say that it is durable: after a power cut it may be there. */
const FSYNC_FAILED = [1034, 1290];

/** What an error of SQLite says of the disk or the file; undefined for those that say nothing of them. */
export function diskFailureOf(error: unknown): DiskFailure | undefined {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? diskFailures[errcode & 0xff] : undefined;
}

/** What a write is told that failed so. */
export const errorFor = (folder: string, failure: DiskFailure, cause: unknown): Error =>
  FSYNC_FAILED.includes((cause as { errcode: number }).errcode)
    ? new OutcomeUnknown(`a write to the data folder ${folder}: it ${failure.why}`, { cause })
    : new DataFolderUnavailable(folder, failure, { cause });
