import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { changedPages, type Span, type WalChanges, type WalPosition } from '@svc/embedded';
import { systemClock, type Clock } from '@svc/kernel';
import type { Logger } from '@svc/service';
import { CopyFiles, endIn, lastIn } from './copy-files.ts';
import { recordEncoder, type Header } from './record.ts';

const SECOND = 1_000;
/** While nothing is written. */
const NOTE_END_EVERY_MS = 5_000;
/** For the last records, where the folder's disk does not answer. */
const STOP_MS = 5_000;
const BEHIND_MS = 5_000;
/** For what an earlier process has copied. */
const READ_MS = 5_000;
/** In the data folder: which copy has all that the database has, once the process has ended. */
const COPIED = 'copied.json';

/** Where the copy of an earlier process ends, and the earlier process's last second. */
export interface Earlier {
  chain: string;
  n: number;
  at: number;
  since: WalPosition | 'closed';
}

interface Copied {
  chain: string;
  n: number;
  /** Of data.sqlite, to find that no other process has written it. */
  file: string;
}

const fileOf = (dataFolder: string): string => {
  const { mtimeNs, size, ino } = statSync(join(dataFolder, 'data.sqlite'), { bigint: true });
  return `${mtimeNs} ${size} ${ino}`;
};

/** Before the database is opened: the copy in `folder` that may go on. Undefined where there is none, or where it cannot be read within some seconds. */
export async function earlierCopy(folder: string, dataFolder: string): Promise<Earlier | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const cancel = systemClock.after(READ_MS, () => resolve(undefined));
  return Promise.race([found(folder, dataFolder), late]).finally(cancel);
}

async function found(folder: string, dataFolder: string): Promise<Earlier | undefined> {
  try {
    const last = await lastIn(folder);
    if (!last) return undefined;
    const { chain, n, position, at = 0 } = last.header;
    const end = await endIn(folder);
    const known = { chain, n, at: end?.chain === chain && end.n <= n ? Math.max(at, end.at) : at };
    const wal = statSync(join(dataFolder, 'data.sqlite-wal'), { throwIfNoEntry: false });
    const path = join(dataFolder, COPIED);
    if (wal && wal.size > 0) return { ...known, since: position };
    if (!existsSync(path)) return undefined;
    const copied = JSON.parse(readFileSync(path, 'utf8')) as Copied;
    return copied.chain === chain && copied.n === n && copied.file === fileOf(dataFolder) ? { ...known, since: 'closed' } : undefined;
  } catch {
    return undefined; // begun again, by a whole copy
  }
}

export interface ContinuousCopyOptions {
  /** Of the copy alone; made where it is not there. */
  folder: string;
  dataFolder: string;
  changes: WalChanges;
  /** As `earlierCopy` has found it before the database was opened. */
  earlier: Earlier | undefined;
  /** Names in the data folder of what is copied too, whenever it changes. */
  files: readonly string[];
  clock: Clock;
  logger: Pick<Logger, 'info' | 'error'>;
}

/** A base: a whole copy, from which the records of a chain behind `after` lead on. */
export interface Base {
  chain: string;
  after: number;
}

export type ContinuousCopy = ReturnType<typeof startContinuousCopy>;

/**
 * Copies what is committed, each second that has any, to files of a folder: as records of pages, each behind the one before. Where the folder cannot be written it is tried
 * again each second; the changes of meanwhile are kept in the WAL and then in memory, within a bound, beyond which a new chain begins that needs a new base.
 */
export function startContinuousCopy(options: ContinuousCopyOptions) {
  const { folder, dataFolder, changes, earlier, clock, logger } = options;
  const files = new CopyFiles(folder);
  const encode = recordEncoder();
  const stopping = new AbortController();
  let { chain, n, at } = changes.continues && earlier ? earlier : { chain: '', n: 0, at: 0 };
  let since: number | undefined = changes.continues ? at : undefined;
  let [failures, hasFailed, notedAt] = [0, false, 0];
  let based = '';
  let pending: { span: Span; header: Header; bytes: Buffer } | undefined;
  const stamps = new Map<string, string>();

  function beginChain(): void {
    if (!changes.begin()) return;
    chain = clock.now().toString(36) + randomBytes(4).toString('hex');
    [n, at, notedAt, since, pending] = [0, 0, 0, undefined, undefined];
    stamps.clear();
    logger.info({ folder, chain }, 'the continuous copy begins anew, with the next whole copy');
  }

  /** The files that have changed since the last record. */
  function changedFiles(): Header['files'] {
    const found: Record<string, string> = {};
    for (const name of options.files) {
      const content = existsSync(join(dataFolder, name)) ? readFileSync(join(dataFolder, name)).toString('base64') : '';
      if ((stamps.get(name) ?? '') !== content) found[name] = content;
    }
    return Object.keys(found).length > 0 ? found : undefined;
  }

  async function recordOf(span: Span, frames: Buffer): Promise<NonNullable<typeof pending>> {
    const changed = changedPages(frames, changes.pageSize);
    const changedBeside = changedFiles();
    const isLater = span.at !== undefined && since !== undefined && span.at - since > SECOND;
    const header: Header = {
      ...{ chain, n: n + 1, position: span.position, total: changed.total },
      ...(span.at !== undefined && { at: span.at }),
      ...(isLater && { since }),
      ...(changedBeside && { files: changedBeside }),
    };
    return { span, header, bytes: await encode(header, changed, changes.pageSize) };
  }

  /** Copies what is there. Throws where the folder cannot be written. */
  async function copyAll(): Promise<void> {
    if (changes.isBroken) beginChain();
    if (changes.isBroken) return;
    const second = changes.mark();
    for (let next = await changes.next(); next; next = await changes.next()) {
      if (pending?.span !== next.span) pending = await recordOf(next.span, next.frames);
      const { header, bytes } = pending;
      await files.append(chain, header.n, bytes);
      n = header.n;
      for (const [name, content] of Object.entries(header.files ?? {})) stamps.set(name, content);
      if (header.at !== undefined) [at, since] = [header.at, undefined];
      pending = undefined;
      changes.done(next.span);
    }
    if (changes.isBroken || second === 0) return;
    if (second - notedAt >= NOTE_END_EVERY_MS) {
      await files.noteEnd({ chain, n, at: second });
      notedAt = second;
    }
    at = Math.max(at, second);
  }

  async function step(): Promise<void> {
    try {
      await copyAll();
      if (hasFailed) logger.info({ folder }, 'the continuous copy goes on');
      hasFailed = false;
    } catch (error) {
      failures += 1;
      if (!hasFailed) logger.error({ err: error, folder }, 'the continuous copy cannot be written; it is tried again each second');
      hasFailed = true;
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await step();
      await clock.sleep(SECOND - (clock.now() % SECOND), stopping.signal);
    }
  }

  const running = run();
  return {
    /** The second up to which everything is copied, in seconds since 1970; 0: nothing is, or its base is still to come. */
    newestSeconds: (): number => (based === chain ? at / SECOND : 0),
    failures: (): number => failures,
    /** Changes of more than some seconds ago are still to be copied. */
    isBehind: (): boolean => !changes.isBroken && clock.now() - at > BEHIND_MS,
    /** The chain that goes on, '' where none does; a base leads to it from the returned record on. */
    base: (): Base => ({ chain: changes.isBroken ? '' : chain, after: n }),
    /** The chain that goes on has none yet. */
    needsBase: (): boolean => !changes.isBroken && based !== chain,
    /** The bases that there are. Removes the records that none of them leads to. */
    async useBases(bases: readonly Base[]): Promise<void> {
      based = bases.some((base) => base.chain === chain) ? chain : '';
      if (based !== '') await files.prune(bases, chain);
    },
    /** Copies the rest, unless the folder cannot be written. Call it when nothing is written any more. */
    async stop(): Promise<void> {
      stopping.abort();
      notedAt = 0;
      const last = (): void => void changes.mark(Math.floor(clock.now() / SECOND + 1) * SECOND);
      const rest = running
        .then(last)
        .then(step)
        .then(() => files.finish().catch(() => undefined));
      const done = new AbortController();
      await Promise.race([rest.finally(() => done.abort()), clock.sleep(STOP_MS, done.signal)]);
    },
    /** Once the database is closed: the next process goes on with this chain, if nothing was missed. */
    closed(): void {
      const path = join(dataFolder, COPIED);
      rmSync(path, { force: true });
      if (changes.endedComplete)
        writeFileSync(path, JSON.stringify({ chain, n, file: fileOf(dataFolder) } satisfies Copied), { mode: 0o600 });
    },
  };
}
