import type { Readable } from 'node:stream';
import { CLOSED_LINK, LINKS } from '@svc/contracts/document/link';
import { createCapacity, type Clock, DomainError, type Env, type Ids } from '@svc/kernel';
import { type KeyRing, signedLinks } from '@svc/service';
import { isPrincipal, type Needs, type RightsContext, rightsOf } from '../member-jobs/rights.ts';
import { type Export, type ExportRows } from './export.ts';
import { listsOf } from './lists.ts';
import { readZip, sizeOf } from './pieces.ts';

/** Begins the tokens of the gateway. */
export const EXPORTS_PATH = `${LINKS}gateway.`;

/** ZIPs that are sent at a time: each holds a piece. */
const OPEN = { perAccount: 2, inAll: 16 };

/** `nonce`: makes each link another one. */
type Claims = [format: 'zip', kind: 'export', env: Env, account: string, id: string, nonce: string];

interface OpenedZip {
  name: string;
  type: 'application/zip';
  /** Bytes. */
  size: number;
  body: Readable;
}

export interface ExportLinks {
  /** Opens for 15 minutes; null: it is not done, or its member may not read it any more. */
  linkTo(job: Export): Promise<string | null>;
  /** Throws not_found for a link that does not open, service_unavailable where the account has too many open. */
  open(token: string): Promise<OpenedZip>;
}

interface LinksOptions extends RightsContext {
  rows: ExportRows;
  secrets: Pick<KeyRing, 'sign' | 'hasSigned'>;
  publicUrl: string;
  clock: Clock;
  ids: Ids;
}

/** What the member of an export needs to have, while it is made and for each link. */
export const needsOf = (job: Pick<Export, 'kind' | 'asked'>): Needs => ({
  permissions: listsOf(job).map(({ kind }) => (kind === 'invoice' ? 'invoices:read' : 'receipts:read')),
  personalData: true,
});

export function exportLinks({ rows, secrets, publicUrl, clock, ids, ...context }: LinksOptions): ExportLinks {
  const links = signedLinks<Claims>({ secrets, publicUrl, clock }, { path: EXPORTS_PATH, purpose: 'links of exports' });
  const capacity = createCapacity(OPEN);
  const opens = async (job: Export): Promise<boolean> =>
    job.status === 'succeeded' && job.next_at > clock.now() && isPrincipal(await rightsOf(context, job, needsOf(job)));

  return {
    linkTo: async (job) => ((await opens(job)) ? links.linkTo('zip', 'export', job.env, job.account, job._id, ids.next()).url : null),
    async open(token) {
      const [, , , account, id] = links.opened(token);
      const job = await rows.exports.get(id);
      if (!job || !(await opens(job))) throw new DomainError('not_found', CLOSED_LINK);
      const release = capacity.reserve(account, 1);
      if (!release)
        throw new DomainError('service_unavailable', 'Too many files are being sent. Open this link again in a moment.', undefined, 5);
      const body = readZip(rows.pieces, job);
      body.once('close', release);
      return { name: `${job.kind}-${job.asked.from}-${job.asked.to}.zip`, type: 'application/zip', size: sizeOf(job.zip), body };
    },
  };
}
