import type { MessagePort } from 'node:worker_threads';
import { freeRanges, longRows, type LongRow } from './pages.ts';
import { Thread } from './thread.ts';

interface Slice {
  path: string;
  /** A descriptor of the same file for reading and writing, which stays open while the database is. */
  file: number;
  /** The first page, counted from 0, and how many are read at the most, with those on which their rows go on. At least one is scrubbed. */
  from: number;
  pages: number;
}

/** Where the next slice begins, and how many pages the file has. */
export interface Scrubbed {
  next: number;
  total: number;
}

/** What the worker sends; else SQLite's error. */
type Reply = Scrubbed | { message: string; errcode: number };

/** Of one slice, on a disk that is slow and beside other work. */
const DEADLINE_MS = 60_000;
const thread = new Thread('scrubbing', `${freeRanges}; ${longRows}; (${work})(freeRanges, longRows)`);

/**
 * Overwrites with zeros what no row of these pages holds any more, in a worker of this process: freed pages, the free space inside of pages, where
 * rows stood that were changed, deleted or moved, and the rest of the last page of a long row. Empties the WAL first, which holds pages as they were
 * before. No other connection may write meanwhile; those of this process read the pages anew afterwards. Rejects with SQLite's `errcode`; with
 * SQLITE_BUSY, 5, where another process reads the WAL; without one where the worker ends, also because it takes longer than a minute.
 */
export async function scrub(slice: Slice): Promise<Scrubbed> {
  const { answer, close } = thread.begin(slice);
  try {
    const reply = await answer<Reply>(DEADLINE_MS);
    if ('message' in reply) throw Object.assign(new Error(reply.message), { code: 'ERR_SQLITE_ERROR', errcode: reply.errcode });
    return reply;
  } finally {
    close();
  }
}

/** The worker's whole source: it refers to nothing outside of it. */
function work(freeOf: typeof freeRanges, longOf: typeof longRows): void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const { fdatasyncSync, fstatSync, readSync, writeSync } = process.getBuiltinModule('node:fs');
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  /** Writes wait meanwhile. */
  const BUSY_MS = 20;
  /** From here on the first byte of a page of another kind, which is that of a page number, may look like the type of a table's page. */
  const MOST_PAGES = 0x02000000;

  parentPort?.on('message', ({ port, ...slice }: Slice & { port: MessagePort }) => {
    try {
      port.postMessage(scrubbed(slice));
    } catch (error) {
      const { message, errcode = 0 } = error as { message: string; errcode?: number };
      port.postMessage({ message, errcode });
    }
  });

  function scrubbed({ path, file, from, pages }: Slice): Scrubbed {
    const db = new DatabaseSync(path, { timeout: BUSY_MS });
    try {
      const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
      if (busy) throw Object.assign(new Error('the WAL is being read and could not be emptied'), { errcode: 5 });
      // With this lock nobody writes to the WAL, so that nobody copies pages of it into the file either.
      db.exec('BEGIN IMMEDIATE');
      const { page_size: size } = db.prepare('PRAGMA page_size').get() as { page_size: number };
      const total = Math.floor(fstatSync(file).size / size);
      if (total >= MOST_PAGES) throw new Error(`a file of ${total} pages is too large to be scrubbed`);
      const { next, changed } = scrubPages(file, { size, from, pages, total });
      if (changed) fdatasyncSync(file);
      // A write makes other connections drop the pages that they keep in memory.
      const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
      db.exec(`PRAGMA user_version=${version}; COMMIT`);
      return { next, total };
    } finally {
      db.close();
    }
  }

  interface Range {
    size: number;
    from: number;
    pages: number;
    total: number;
  }

  function scrubPages(file: number, { size, from, pages, total }: Range): { next: number; changed: boolean } {
    const freed = freedPages(file, size);
    const [page, other, zeros] = [Buffer.alloc(size), Buffer.alloc(size), Buffer.alloc(size)];
    readSync(file, page, 0, size, 0);
    const usable = size - page.readUInt8(20);
    let changed = false;
    let [next, visited] = [from, 0];
    /** `n` is counted from 0. */
    function clear(n: number, content: Buffer, start: number, end: number): void {
      if (content.compare(zeros, 0, end - start, start, end) === 0) return;
      writeSync(file, zeros, 0, end - start, n * size + start);
      changed = true;
    }
    /** The rest of the last page of a row, unless its pages are not as SQLite describes them. */
    function clearRest({ first, bytes }: LongRow): void {
      const count = Math.ceil(bytes / (usable - 4));
      let [at, behind] = [0, first];
      for (let n = 0; n < count; n += 1) {
        if (behind < 2 || behind > total || freed.has(behind)) return;
        at = behind;
        visited += 1;
        readSync(file, other, 0, n === count - 1 ? size : 4, (at - 1) * size);
        behind = other.readUInt32BE(0);
      }
      if (behind === 0) clear(at - 1, other, 4 + bytes - (count - 1) * (usable - 4), usable);
    }
    for (; next < total && visited < pages; next += 1) {
      visited += 1;
      readSync(file, page, 0, size, next * size);
      const [start, kept] = [next === 0 ? 100 : 0, freed.get(next + 1)];
      for (const [begin, end] of kept === undefined ? freeOf(page, start) : [[kept, size] as const]) clear(next, page, begin, end);
      if (kept === undefined) longOf(page, start, usable).forEach(clearRest);
    }
    return { next, changed };
  }

  /** The numbers of pages that no table uses, and where what they hold of the list of such pages ends. */
  function freedPages(file: number, size: number): Map<number, number> {
    const freed = new Map<number, number>();
    const page = Buffer.alloc(size);
    readSync(file, page, 0, size, 0);
    for (let trunk = page.readUInt32BE(32); trunk !== 0 && !freed.has(trunk); trunk = page.readUInt32BE(0)) {
      readSync(file, page, 0, size, (trunk - 1) * size);
      const leaves = Math.min(page.readUInt32BE(4), size / 4 - 2);
      freed.set(trunk, 8 + 4 * leaves);
      for (let n = 0; n < leaves; n += 1) freed.set(page.readUInt32BE(8 + 4 * n), 0);
    }
    return freed;
  }
}
