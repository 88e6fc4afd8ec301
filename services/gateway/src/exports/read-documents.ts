import type { JobFailure, JobReason } from '@svc/contracts/console/jobs';
import { parseExact } from '@svc/kernel';
import { type AskInside, type InsideAnswer, isFailure } from '../principals/inside/ask-inside.ts';
import { unavailable } from '../principals/inside/unavailable.ts';
import type { Principal } from '../principals/principal.ts';
import type { MemberJob } from '../member-jobs/member-job.ts';
import { isGivenUp, refusalIn } from '../member-jobs/refusal.ts';
import type { List } from './lists.ts';
import type { PageOfList } from './walk.ts';

/** A document as its list shows it, with exact numbers. */
export interface Row extends Record<string, unknown> {
  id: string;
  number: string | null;
}

/** Why an export cannot go on, whenever it is tried. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(readonly reason: JobReason) {
    super(reason.message);
  }
}

/** Reads documents and their files as the member of an export. Throws service_unavailable where a service does not answer. */
export interface Documents {
  /** Throws Refused where the list refuses its filters. */
  page(list: List, query: Record<string, string>): Promise<PageOfList<Row>>;
  /** The bytes of a file, or why there is none. */
  file(list: List, kind: 'pdf' | 'ubl', id: string): Promise<Buffer | JobFailure>;
}

export function documentsOf(ask: AskInside, principal: Principal, job: Pick<MemberJob, 'request_id' | 'tries'>): Documents {
  async function answered(url: string): Promise<InsideAnswer> {
    const answer = await ask({ url, principal, requestId: job.request_id });
    if (isFailure(answer.status) && !isGivenUp(refusalIn(answer.bytes), job)) throw unavailable();
    return answer;
  }
  return {
    async page({ path }, query) {
      const { status, bytes } = await answered(`/v1${path}?${new URLSearchParams(query).toString()}`);
      if (status !== 200) throw new Refused(refusalIn(bytes));
      const { data, meta } = parseExact(bytes.toString('utf8')) as { data: Row[]; meta: { total: number } };
      return { rows: data, total: meta.total };
    },
    async file({ path }, kind, id) {
      const link = await answered(`/v1${path}/${id}/${kind}`);
      if (link.status !== 200) return { id, ...refusalIn(link.bytes) };
      const { url } = JSON.parse(link.bytes.toString('utf8')) as { url: string };
      const { status, bytes } = await answered(new URL(url).pathname);
      return status === 200 ? bytes : { id, ...refusalIn(bytes) };
    },
  };
}
