import type { Collection } from '@svc/document-store';
import type { BackgroundWork } from '@svc/service';
import type { Limiter } from '../limiter/port.ts';
import type { Needs } from '../member-jobs/rights.ts';
import { runsJobs, type RunJobsOptions } from '../member-jobs/run-jobs.ts';
import type { AskInside } from '../principals/inside/ask-inside.ts';
import { submissionsStep } from './submit-each.ts';
import { KEPT_MS, type Submissions } from './submissions.ts';

interface SubmissionsOptions extends Pick<
  RunJobsOptions<Submissions>,
  'people' | 'store' | 'bus' | 'clock' | 'logger' | 'holder' | 'waker'
> {
  rows: Collection<Submissions>;
  ask: AskInside;
  limiter: Limiter;
}

const needs: Needs = { permissions: ['invoices:submit'], personalData: false };

/** Submits the invoices of jobs, one job of an account and environment at a time. */
export const submissionsWork = ({ ask, limiter, ...options }: SubmissionsOptions): BackgroundWork =>
  runsJobs<Submissions>({
    ...options,
    ...{ name: 'bulk_submissions', needs: () => needs, keptFor: KEPT_MS },
    step: submissionsStep({ rows: options.rows, ask, limiter, clock: options.clock }),
  });
