import type { BackgroundWork } from '@svc/service';
import type { AskInside } from '../principals/inside/ask-inside.ts';
import { runsJobs, type RunJobsOptions } from '../member-jobs/run-jobs.ts';
import type { StorageUsage } from '../storage/usage.ts';
import { type Export, type ExportRows, KEPT_MS } from './export.ts';
import { exportStep } from './make-export.ts';
import { needsOf } from './open-exports.ts';
import { removePieces } from './pieces.ts';

interface ExportsOptions extends Pick<RunJobsOptions<Export>, 'people' | 'store' | 'bus' | 'clock' | 'logger' | 'holder' | 'waker'> {
  rows: ExportRows;
  ask: AskInside;
  storage: Pick<StorageUsage, 'mayExport' | 'exported'>;
}

/** Makes exports, one of an account at a time, and removes them a day after their end. */
export const exportsWork = ({ rows, ask, storage, ...options }: ExportsOptions): BackgroundWork =>
  runsJobs<Export>({
    ...options,
    ...{ name: 'exports', rows: rows.exports, needs: needsOf, keptFor: KEPT_MS },
    step: exportStep({ rows, ask, storage, clock: options.clock }),
    async remove(job) {
      await removePieces(rows.pieces, job);
      await storage.exported({ account: job.account, id: job._id, bytes: 0, until: 0 });
    },
  });
