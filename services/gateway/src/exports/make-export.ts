import { type Clock, nextTurn } from '@svc/kernel';
import type { AskInside } from '../principals/inside/ask-inside.ts';
import type { Principal } from '../principals/principal.ts';
import type { Step } from '../member-jobs/run-jobs.ts';
import type { StorageUsage } from '../storage/usage.ts';
import { type Cursor, type Export, type ExportRows, KEPT_MS } from './export.ts';
import { formatOf, type Target } from './formats.ts';
import { type List, listsOf } from './lists.ts';
import { addPieces, sizeOf } from './pieces.ts';
import { documentsOf, Refused } from './read-documents.ts';
import { behind, fewerDays, movedBefore, past, queryAt, windowAt } from './walk.ts';
import { MOST_FILES, MOST_SIZE } from '@svc/service/files/zip';
import { createZipWriter } from './zip-writer.ts';

/** A step ends after so long, so that those of other accounts have their turns. */
const STEP_MS = 2_000;
/** Bytes that a step holds before it stores them. */
const MOST_HELD = 1024 * 1024;
/** Longer than it is kept: what it has stored counts until it is removed. */
const COUNTED_MS = KEPT_MS + 3_600_000;
/** Bytes of one ZIP. */
const MOST_BYTES = 2 * 1024 ** 3;

interface MakeExportOptions {
  rows: ExportRows;
  ask: AskInside;
  storage: Pick<StorageUsage, 'mayExport' | 'exported'>;
  clock: Clock;
}

/** Where a step is. */
interface Progress extends Target {
  job: Export;
  cursor: Cursor | null;
  total: number;
}

/** Makes a ZIP step by step: after each, what was made is stored before how far it is, so that a crash repeats a step and loses none. */
export function exportStep({ rows, ask, storage, clock }: MakeExportOptions): (job: Export, principal: Principal) => Promise<Step<Export>> {
  /** Stores what was made; undefined: another process has the job. */
  async function store(progress: Progress, set: Partial<Export> = {}): Promise<Export | undefined> {
    const { job, writer, cursor, done, total, missing } = progress;
    const { made, zip } = writer.take();
    const added = await addPieces(rows.pieces, job, made);
    const now = { cursor, done, total: Math.max(total, done), missing, zip: { ...zip, ...added }, ...set };
    const [stored] = await rows.exports.claim({ _id: job._id, version: job.version }, { set: now });
    if (stored) await storage.exported({ account: job.account, id: job._id, bytes: sizeOf(stored.zip), until: clock.now() + COUNTED_MS });
    return stored;
  }

  async function step(begun: Export, principal: Principal): Promise<Step<Export>> {
    const documents = documentsOf(ask, principal, begun);
    if (begun.cursor === null) return whole(begun, principal); // stored before a crash
    const lists = listsOf(begun);
    const until = clock.now() + STEP_MS;
    let job = begun;
    const { cursor, done, total, missing } = job;
    const progress: Progress = { job, cursor, done, total, missing: [...missing], writer: createZipWriter(job.zip, job.created_at) };
    const format = formatOf(job, documents, progress);

    for (let at: Cursor | undefined = lists.length > 0 ? begun.cursor : undefined; at !== undefined;) {
      const list = lists[at.list] as List;
      const window = windowAt(at);
      const page = await documents.page(list, queryAt(list, at, window));
      const other = fewerDays(at, page.total) ?? movedBefore(at, page, window);
      if (other) {
        progress.cursor = at = other;
        continue;
      }
      for (const [index, row] of page.rows.entries()) {
        if (at.seen.includes(row.id)) continue;
        if (row.number === null) progress.total -= 1;
        else await format.add(list, row);
        progress.cursor = at = past(at, row.id, index, window);
        const isOver = clock.now() >= until;
        if (!isOver && progress.writer.held() + format.held() < MOST_HELD) continue;
        await format.flush();
        const stored = await store(progress);
        if (!stored) return null;
        progress.job = job = stored;
        const limit = limitOf(job, principal);
        if (limit) return { job, next: { ended: 'failed', reason: limit } };
        if (isOver) return { job, next: { at: clock.now() } };
      }
      at = behind(at, page, window, { lists: lists.length, whole: job.asked });
      progress.cursor = at ?? null;
      await nextTurn(job.account);
    }
    await format.end();
    const stored = await store(progress, { cursor: null });
    return stored ? whole(stored, principal) : null;
  }

  /** All is in it, which may be more than one ZIP may have. */
  function whole(job: Export, principal: Principal): Step<Export> {
    const reason = limitOf(job, principal);
    return { job, next: reason ? { ended: 'failed', reason } : { ended: 'succeeded' } };
  }

  function limitOf({ zip }: Export, principal: Principal): { code: string; message: string } | undefined {
    if (zip.bytes > MOST_BYTES || (zip.open?.size ?? 0) > MOST_SIZE || zip.files > MOST_FILES)
      return { code: 'too_large', message: 'This is too large for one ZIP. Choose fewer days.' };
    return storage.mayExport(principal)
      ? undefined
      : {
          code: 'storage_quota_exceeded',
          message:
            'Exports may take half of the storage that the account has left. Choose fewer days, or wait until earlier exports are removed.',
        };
  }

  return (job, principal) =>
    step(job, principal).catch(async (error: unknown): Promise<Step<Export>> => {
      if (!(error instanceof Refused)) throw error;
      const now = await rows.exports.get(job._id);
      return now ? { job: now, next: { ended: 'failed', reason: error.reason } } : null;
    });
}
