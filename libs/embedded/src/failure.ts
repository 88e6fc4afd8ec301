/** The data folder cannot be read or written; nothing was stored. Repeating later may succeed. The message is for operators. */
class DataFolderUnavailable extends Error {
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
  /** The failure ends when there is space again or the disk works again. */
  isTransient: boolean;
}

const damaged: DiskFailure = { why: 'has a damaged file: stop the process and restore data.sqlite from a backup', isTransient: false };

/** By SQLite's primary result code; other codes are no disk failures. */
const diskFailures: Record<number, DiskFailure> = {
  8: { why: 'may not be written to', isTransient: true },
  10: { why: 'is on a disk that fails', isTransient: true },
  11: damaged,
  13: { why: 'is on a disk that is full', isTransient: true },
  14: { why: 'cannot be opened', isTransient: true },
  26: damaged,
};

export function diskFailureOf(error: unknown): DiskFailure | undefined {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? diskFailures[errcode & 0xff] : undefined;
}

/** The error of a read or write with this failure. */
export const errorFor = (folder: string, failure: DiskFailure, cause: unknown): Error =>
  new DataFolderUnavailable(folder, failure, { cause });
