import type { Collection } from '@svc/document-store';
import { notFound } from '@svc/kernel';
import type { Identity } from '@svc/service';
import type { MemberJob } from './member-job.ts';

/** Throws not_found for one of another account or environment. */
export async function jobOf<J extends MemberJob>(rows: Collection<J>, { account, env }: Identity, id: string): Promise<J> {
  const job = await rows.get(id);
  if (!job || job.account !== account || job.env !== env) throw notFound('job');
  return job;
}
