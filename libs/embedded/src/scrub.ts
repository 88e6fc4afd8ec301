import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';

interface Slice {
  path: string;
  /** A descriptor of the same file for reading and writing, which stays open while the database is. */
  file: number;
  /** The first page, counted from 0, and how many. */
  from: number;
  pages: number;
}

/** What the worker sends: how many pages the file has, or SQLite's error. */
type Reply = { total: number } | { message: string; errcode: number };

let worker: Worker | undefined;

/**
 * Overwrites with zeros what no row of these pages holds any more, in a worker of this process: freed pages, and the free space inside of pages, where
 * rows stood that were changed, deleted or moved. Empties the WAL first, which holds pages as they were before. No other connection may write
 * meanwhile; those of this process read the pages anew afterwards. Returns how many pages the file has. Rejects with SQLite's `errcode`; with
 * SQLITE_BUSY, 5, where another process reads the WAL.
 */
export async function scrub(slice: Slice): Promise<number> {
  worker ??= started();
  const { port1: port, port2 } = new MessageChannel();
  try {
    const reply = await new Promise<Reply>((resolve, reject) => {
      port.once('message', resolve);
      port.once('close', () => reject(new Error('the worker that scrubs has ended')));
      worker?.postMessage({ ...slice, port: port2 }, [port2]);
    });
    if ('message' in reply) throw Object.assign(new Error(reply.message), { code: 'ERR_SQLITE_ERROR', errcode: reply.errcode });
    return reply.total;
  } finally {
    port.close();
  }
}

function started(): Worker {
  const one = new Worker(`${freeRanges}; (${work})(freeRanges)`, { eval: true, name: 'scrubbing' });
  one.unref();
  one.on('error', () => undefined); // its ports close, too
  one.on('exit', () => (worker = undefined));
  return one;
}

/**
 * Where a page of a table or index holds nothing: `[from, to)` in bytes. Empty for pages of other kinds, and where a page is not as SQLite describes it.
 * `start`: where its header is, 100 in the first page of a file and 0 in others. https://www.sqlite.org/fileformat2.html#b_tree_pages
 */
function freeRanges(page: Buffer, start: number): [from: number, to: number][] {
  const type = page.readUInt8(start);
  if (![2, 5, 10, 13].includes(type)) return [];
  const cells = start + (type === 2 || type === 5 ? 12 : 8) + 2 * page.readUInt16BE(start + 3);
  const content = page.readUInt16BE(start + 5) || 65_536;
  if (content < cells || content > page.length) return [];
  const ranges: [number, number][] = [[cells, content]];
  for (let block = page.readUInt16BE(start + 1); block !== 0;) {
    const [next, size] = block < content || block + 4 > page.length ? [0, 0] : [page.readUInt16BE(block), page.readUInt16BE(block + 2)];
    if (size < 4 || block + size > page.length || (next !== 0 && next < block + size)) return [];
    ranges.push([block + 4, block + size]);
    block = next;
  }
  return ranges;
}

/** The worker's whole source: it refers to nothing outside of it. */
function work(freeOf: typeof freeRanges): void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const { fdatasyncSync, fstatSync, readSync, writeSync } = process.getBuiltinModule('node:fs');
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  /** Writes wait meanwhile. */
  const BUSY_MS = 20;
  /** From here on the first byte of a page of another kind, which is that of a page number, may look like the type of a table's page. */
  const MOST_PAGES = 0x02000000;

  parentPort?.on('message', ({ port, ...slice }: Slice & { port: MessagePort }) => {
    try {
      port.postMessage({ total: scrubbed(slice) });
    } catch (error) {
      const { message, errcode = 0 } = error as { message: string; errcode?: number };
      port.postMessage({ message, errcode });
    }
  });

  function scrubbed({ path, file, from, pages }: Slice): number {
    const db = new DatabaseSync(path, { timeout: BUSY_MS });
    try {
      const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
      if (busy) throw Object.assign(new Error('the WAL is being read and could not be emptied'), { errcode: 5 });
      // With this lock nobody writes to the WAL, so that nobody copies pages of it into the file either.
      db.exec('BEGIN IMMEDIATE');
      const { page_size: size } = db.prepare('PRAGMA page_size').get() as { page_size: number };
      const total = Math.floor(fstatSync(file).size / size);
      if (total >= MOST_PAGES) throw new Error(`a file of ${total} pages is too large to be scrubbed`);
      if (scrubPages(file, { size, from, to: Math.min(total, from + pages) })) fdatasyncSync(file);
      // A write makes other connections drop the pages that they keep in memory.
      const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
      db.exec(`PRAGMA user_version=${version}; COMMIT`);
      return total;
    } finally {
      db.close();
    }
  }

  function scrubPages(file: number, { size, from, to }: { size: number; from: number; to: number }): boolean {
    const freed = freedPages(file, size);
    const [page, zeros] = [Buffer.alloc(size), Buffer.alloc(size)];
    let changed = false;
    for (let n = from; n < to; n += 1) {
      readSync(file, page, 0, size, n * size);
      const ranges = freed.has(n + 1) ? [[freed.get(n + 1) as number, size] as const] : freeOf(page, n === 0 ? 100 : 0);
      for (const [start, end] of ranges) {
        if (page.compare(zeros, 0, end - start, start, end) === 0) continue;
        writeSync(file, zeros, 0, end - start, n * size + start);
        changed = true;
      }
    }
    return changed;
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
