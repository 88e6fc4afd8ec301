import type { JobFailure } from '@svc/contracts/console/jobs';
import type { Collection, DocumentStore } from '@svc/document-store';
import { jobIndexes, type MemberJob } from '../member-jobs/member-job.ts';
import type { Share } from './share.ts';

/** How long it is shown after its end. */
export const KEPT_MS = 7 * 86_400_000;

/** Invoices that are being submitted for a member, in their order. `_id` is `sub_…`; `done` is the index of the next one. */
export interface Submissions extends MemberJob {
  ids: string[];
  failed: JobFailure[];
  share: Share;
}

export const submissionsRows = (documents: DocumentStore): Collection<Submissions> =>
  documents.collection<Submissions>('bulk_submissions', { indexes: jobIndexes });
