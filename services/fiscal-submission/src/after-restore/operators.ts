import { randomBytes } from 'node:crypto';
import { type Collection, compareAndSet } from '@svc/document-store';
import { DomainError, iso, type Clock, type Streams } from '@svc/kernel';
import type { NoteAction } from '@svc/service';
import type { Authorities, Listed } from '../submission/authority.ts';
import type { Row } from '../submission/row.ts';
import { submissionStream, type Submissions } from '../submission/submissions.ts';
import { addressed } from '../submission/outgoing.ts';
import { withClient, type Http } from '../sending/http.ts';
import type { Clients } from '../signing/clients.ts';
import { chainEvents, type Chains } from '../chain/chains.ts';
import type { ChainRow, ChainRows } from '../chain/closed-chains.ts';
import type { ChainLink } from '../chain/domain/link.ts';

export const CHAINS = Symbol('chains after a restore');

/** What an operator's commands about chains work with. */
export interface ChainContext {
  streams: Pick<Streams, 'read' | 'tail'>;
  submissions: Pick<Submissions, 'load'>;
  chains: Chains;
  rows: ChainRows;
  /** Jobs of submissions. */
  jobs: Pick<Collection<Row>, 'find'>;
  /** When the system was restored (ISO 8601); undefined: it was not, and no chain is closed. */
  restoredAt: string | undefined;
  authorities: Authorities;
  clients: Clients;
  http: Http;
  clock: Pick<Clock, 'now'>;
  note: NoteAction;
}

const MOST = 100;
const PAGE = 1_000;
/** Records from the end of a chain among which one is looked for that names its issuer. */
const LAST = 50;
/** Documents that are looked at for one that waits for the chain: those that wait longest. */
const MOST_WAITING = 10_000;

/** Chains after the restore, closed or open, 100 at a time in the order of their names. `length`: of the chain here; `awaited`: whether a document has asked for it. */
export async function listChains({ rows, streams, restoredAt }: ChainContext, open: boolean, after = ''): Promise<object[]> {
  if (restoredAt === undefined) return [];
  const found = rows.find({ restored: restoredAt, open, _id: { $gt: after } }, { sort: { _id: 1 }, limit: MOST });
  return Promise.all(
    (await Array.fromAsync(found)).map(async ({ _id: chain, account, env, authority, tax_id, awaited }) => {
      const [last] = (await streams.tail(chain, 1)).map(chainEvents.decode);
      return { chain, account, livemode: env === 'live', authority, tax_id, length: last?.data.position ?? 0, awaited };
    }),
  );
}

async function noted({ rows, restoredAt }: ChainContext, chain: string): Promise<ChainRow> {
  const row = await rows.get(chain);
  if (!row || restoredAt === undefined || row.restored !== restoredAt)
    throw new DomainError('not_found', `${chain} was not noted after a restore. svc admin chains list shows the chains that were.`);
  return row;
}

/**
 * What the authority has of the chain's issuer in a month (yyyy-mm), and this system has not in the chain. It asks page after page. Throws not_found,
 * invalid_state where the authority has no such list or neither a record nor a document that waits names the issuer, service_unavailable where
 * it does not list, in its words, or there is no certificate to ask with.
 */
export async function compareChain(context: ChainContext, { chain, month }: { chain: string; month: string }) {
  const { env, account, authority: id } = await noted(context, chain);
  const authority = context.authorities[env].get(id);
  if (!authority?.listing) throw new DomainError('invalid_state', `${id} lists nothing here: compare by its own pages.`);
  const { listing } = authority;
  const found = await recordsOf(context, { env, account }, chain);
  const reference = found.reference ?? (await waitingReference(context, { env, account, authority: id }, chain));
  if (reference === undefined)
    throw new DomainError(
      'invalid_state',
      'No record of the chain is here, and no document waits for it, so that nothing names its issuer: compare by the authority’s own pages.',
    );
  const unlisted = (error: unknown): never => {
    throw new DomainError('service_unavailable', `${id} has not listed it: ${error instanceof Error ? error.message : String(error)}`);
  };
  const client = authority.needs.tls === 'none' ? undefined : await context.clients.of({ env, account, authority: id }).catch(unlisted);
  const http = withClient(context.http, client);
  const tls = authority.anchors && { anchors: authority.anchors };
  const lost: Listed[] = [];
  let count = 0;
  for (let after: string | null = ''; after !== null;) {
    const asked = listing.render({ taxpayer: `${env}.${account}`, reference, month, after });
    const { method, url, headers, body } = addressed(asked, authority, client);
    const page = await http({ method, url, headers, body, tls, deadlineMs: listing.deadlineMs, mostBytes: listing.mostBytes })
      .then((response) => listing.read(response))
      .catch(unlisted);
    if (page.next === after) unlisted(new Error(`its page after ${after} goes on with itself.`));
    count += page.records.length;
    lost.push(...page.records.filter(({ hash }) => !found.hashes.has(hash)));
    after = page.next;
  }
  return { chain, month, at_authority: count, here: found.hashes.size, lost };
}

/** Hashes of the records of a chain, and what names its issuer in one of the last. */
async function recordsOf(context: ChainContext, { env, account }: Pick<ChainRow, 'env' | 'account'>, chain: string) {
  const hashes = new Set<string>();
  let last: ChainLink[] = [];
  for (let from = 0n; ; from += BigInt(PAGE)) {
    const page = await context.streams.read(chain, from, PAGE);
    const links = page.map(chainEvents.decode).map(({ data }) => data);
    for (const { operation, hash } of links) if (operation !== 'restart') hashes.add(hash);
    last = [...last, ...links].slice(-LAST);
    if (page.length < PAGE) break;
  }
  for (const { document } of last.toReversed()) {
    const { state } = await context.submissions.load(submissionStream(env, account, document));
    const reference = 'registration' in state ? state.registration.reference : 'prepared' in state ? state.prepared?.reference : undefined;
    if (reference !== undefined) return { hashes, reference };
  }
  return { hashes, reference: undefined };
}

/** What names the issuer in a document that waits for the chain. */
async function waitingReference(
  { jobs, submissions, authorities }: ChainContext,
  { env, account, authority }: Pick<ChainRow, 'env' | 'account' | 'authority'>,
  chain: string,
): Promise<string | undefined> {
  const waiting = { authority, env, waits_for: 'authority', waits_since: { $gte: 0 } };
  for await (const { _id, lane } of jobs.find(waiting, { sort: { waits_since: 1 }, limit: MOST_WAITING })) {
    if (lane !== chain) continue;
    const { state } = await submissions.load(submissionStream(env, account, _id));
    if (state.status === 'opened' && state.unprepared !== null)
      return authorities[env].get(authority)?.listing?.reference(JSON.parse(state.unprepared.draft) as object);
  }
  return undefined;
}

interface Decided {
  chain: string;
  /** Without it nothing changes. */
  confirm: boolean;
}

/**
 * Begins the chain anew: its next record is a first one, of an installation that was never used. The installation is random: a count would come back with the
 * backup. Throws not_found.
 */
export async function restartChain(context: ChainContext, { chain, confirm }: Decided) {
  const row = await noted(context, chain);
  const { account, env } = row;
  if (!confirm)
    return { chain, done: false, next: 'Its next record would be the first of a new installation. Repeat with --confirm true.' };
  const installation = randomBytes(10).toString('hex').toUpperCase();
  const metadata = { account, env, actor: { type: 'system' as const, id: 'operator' } };
  await context.note({ ...audited(row, 'restarted'), changes: { installation: { from: null, to: installation } } });
  await context.chains.restart({ chain, installation, now: iso(context.clock.now()), metadata });
  await open(context, chain);
  return { chain, done: true, installation };
}

/** The chain goes on behind its last record here: for one of which the authority has no more than this system. Throws not_found. */
export async function openChain(context: ChainContext, { chain, confirm }: Decided) {
  const row = await noted(context, chain);
  if (!confirm)
    return { chain, done: false, next: 'It would go on behind its last record here. Compare it first, then repeat with --confirm true.' };
  if (!row.open) await context.note(audited(row, 'opened'));
  await open(context, chain);
  return { chain, done: true };
}

/** How the audit names a chain: by its stream, and the tax id of its issuer. */
const audited = ({ _id, account, env, tax_id }: ChainRow, verb: 'restarted' | 'opened') =>
  ({ account, env, type: 'chain', verb, target: { id: _id, name: tax_id } }) as const;

async function open({ rows }: ChainContext, chain: string): Promise<void> {
  await compareAndSet<ChainRow, undefined>(rows, chain, {
    absent: () => undefined,
    change: (row) => (row.open ? undefined : { open: true }),
  });
}
