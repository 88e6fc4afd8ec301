import { type Clock, nextTurn } from '@svc/kernel';
import type { AskInside } from '../principals/inside/ask-inside.ts';
import type { Principal } from '../principals/principal.ts';
import type { Step } from '../member-jobs/run-jobs.ts';
import type { StorageUsage } from '../storage/usage.ts';
import { type Cursor, type Export, type ExportRows, KEPT_MS } from './export.ts';
import { formatOf, type Target } from './formats.ts';
import { type List, listsOf } from './lists.ts';
import { addPieces } from './pieces.ts';
import { documentsOf, Refused } from './read-documents.ts';
import { behind, fewerDays, queryAt } from './walk.ts';
import { MOST_FILES, MOST_SIZE } from './zip.ts';
import { createZipWriter } from './zip-writer.ts';

/** A step ends after so long, so that those of other accounts have their turns. */
const STEP_MS = 2_000;
/** Bytes that a step holds before it stores them. */
const MOST_HELD = 1024 * 1024;
/** Documents of a page: each may have 640 KiB. */
const PAGE = 25;
/** Bytes of one ZIP. */
const MOST_BYTES = 2 * 1024 ** 3;

interface MakeExportOptions {
  rows: ExportRows;
  ask: AskInside;
  storage: Pick<StorageUsage, 'hasCapacity' | 'stored'>;
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
    const [[stored]] = await Promise.all([
      rows.exports.claim({ _id: job._id, version: job.version }, { set: now }),
      storage.stored(job.account, made.files.length + made.records.length, clock.now() + KEPT_MS),
    ]);
    return stored;
  }

  async function step(begun: Export, principal: Principal): Promise<Step<Export>> {
    const documents = documentsOf(ask, principal, begun);
    if (begun.cursor === null) return { job: begun, next: { ended: 'succeeded' } }; // stored before a crash
    const lists = listsOf(begun);
    const until = clock.now() + STEP_MS;
    let job = begun;
    const { cursor, done, total, missing } = job;
    const progress: Progress = { job, cursor, done, total, missing: [...missing], writer: createZipWriter(job.zip, job.created_at) };
    const format = formatOf(job, documents, progress);

    for (let at: Cursor | undefined = lists.length > 0 ? begun.cursor : undefined; at !== undefined;) {
      const list = lists[at.list] as List;
      const page = await documents.page(list, queryAt(list, at, PAGE));
      const fewer = fewerDays(at, page.total);
      if (fewer) {
        progress.cursor = at = fewer;
        continue;
      }
      for (const row of page.rows) {
        if (at.last.includes(row.id)) continue;
        if (row.number === null) progress.total -= 1;
        else await format.add(list, row);
        progress.cursor = at = { ...at, last: [...at.last, row.id] };
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
      at = behind(at, { total: page.total, size: PAGE, ids: page.rows.map(({ id }) => id) }, lists.length, job.asked);
      progress.cursor = at ?? null;
      await nextTurn(job.account);
    }
    await format.end();
    const stored = await store(progress, { total: progress.done, cursor: null });
    return stored ? { job: stored, next: { ended: 'succeeded' } } : null;
  }

  function limitOf({ zip }: Export, principal: Principal): { code: string; message: string } | undefined {
    if (zip.bytes > MOST_BYTES || (zip.open?.size ?? 0) > MOST_SIZE || zip.files >= MOST_FILES)
      return { code: 'too_large', message: 'This is too large for one ZIP. Choose fewer days.' };
    return storage.hasCapacity(principal, 'creation')
      ? undefined
      : { code: 'storage_quota_exceeded', message: 'The account’s storage is used up. Choose fewer days, or free some first.' };
  }

  return (job, principal) =>
    step(job, principal).catch(async (error: unknown): Promise<Step<Export>> => {
      if (!(error instanceof Refused)) throw error;
      const now = await rows.exports.get(job._id);
      return now ? { job: now, next: { ended: 'failed', reason: error.reason } } : null;
    });
}
