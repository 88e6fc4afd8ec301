import { DomainError, iso, type Env } from '@svc/kernel';
import { compareAndSet } from '@svc/document-store';
import type { Authority } from '../submission/authority.ts';
import type { Context } from '../submission/context.ts';
import { submissionEvents } from '../submission/domain/events.ts';
import { OPERATOR } from '../submission/publish.ts';
import { CLAIM_MS, type Row } from '../submission/row.ts';
import { submissionStream } from '../submission/submissions.ts';

/** What an operator asks for. `after`: the last document of the page before, '' for the first. */
export interface AmendmentsAsked {
  authority: string;
  /** Of the warning. */
  code: string;
  livemode: boolean;
  after: string;
  /** Documents of a page, at most. */
  limit: number;
  /** Without it nothing changes. */
  confirm: boolean;
}

export interface AmendmentsPage {
  done: boolean;
  /** Registered documents with the warning. `asked`: their amendment begins; false: it is under way, was made before, or has a `problem`. */
  documents: { document: string; account: string; asked: boolean; problem?: string }[];
  /** Where the next page begins; null: this is the last. */
  next: string | null;
}

/**
 * Has the records amended that an authority has registered with a warning that is a defect of this software, each as this release makes it. Repeatable: one that
 * is under way, or was amended, is not asked for again. Returns the rows as claimed by the caller. Throws not_found, invalid_state where the authority has no
 * amendments or the warning needs none.
 */
export async function amendSubmissions(context: Context, asked: AmendmentsAsked): Promise<{ page: AmendmentsPage; rows: Row[] }> {
  const { code, livemode, after, limit, confirm } = asked;
  const env = livemode ? 'live' : 'test';
  const authority = amending(context, env, asked);
  const filter = { authority: authority.id, env, flawed: code, _id: { $gt: after } };
  const found = await Array.fromAsync(context.rows.find(filter, { sort: { _id: 1 }, limit }));
  const rows: Row[] = [];
  const documents: AmendmentsPage['documents'] = [];
  for (const { _id: document, account } of found) {
    const { row, problem } = confirm ? await attempted(() => amendOne(context, authority, { env, account, document, code })) : {};
    if (row) rows.push(row);
    documents.push({ document, account, asked: row !== undefined, ...(problem !== undefined && { problem }) });
  }
  const next = found.length === limit ? (found.at(-1)?._id ?? null) : null;
  return { page: { done: confirm, documents, next }, rows };
}

interface Amended {
  row?: Row | undefined;
  problem?: string;
}

/** One document that cannot be amended keeps none of the others from it. */
const attempted = (amend: () => Promise<Amended>): Promise<Amended> =>
  amend().catch((error: unknown) => ({ problem: error instanceof Error ? error.message : String(error) }));

type Amends = Authority & { amendments: NonNullable<Authority['amendments']> };

function amending({ authorities }: Context, env: Env, { authority: id, code }: AmendmentsAsked): Amends {
  const authority = authorities[env].get(id);
  if (!authority) throw new DomainError('not_found', `${id} is not served in ${env}.`);
  const { amendments } = authority;
  if (!amendments) throw new DomainError('invalid_state', `${id} takes no amendments of what it has registered.`);
  if (!authority.isDefect?.([code])) throw new DomainError('invalid_state', `${code} needs no amendment, or the issuer has to mend it.`);
  return { ...authority, amendments };
}

/** The row is claimed first, so that the amendment comes back by itself when the process dies. Without a row it is not asked for. */
async function amendOne(
  { streams, submissions, rows, clock, chains }: Context,
  { amendments }: Amends,
  { env, account, document, code }: { env: Env; account: string; document: string; code: string },
): Promise<Amended> {
  const stream = submissionStream(env, account, document);
  const recorded = (await streams.read(stream)).map(submissionEvents.decode);
  const opened = recorded.findLast((event) => event.type === 'SubmissionOpened');
  const unprepared = opened?.data.unprepared;
  if (!unprepared?.chain) return { problem: 'Its record is none of a chain.' };
  const draft = JSON.stringify(amendments.draft(JSON.parse(unprepared.draft) as object));
  const [seen, at] = [await chains.head(unprepared.chain.stream), iso(clock.now())];
  let row: Row | undefined;
  const { events } = await submissions.handle(
    stream,
    async (state) => {
      if (state.status === 'registered' && state.registration.warnings.includes(code)) row ??= await claimed(rows, document, clock.now());
      return { do: 'amend', code, draft, seen, at };
    },
    { account, env, actor: OPERATOR },
  );
  return events.length > 0 ? { row } : {};
}

async function claimed(rows: Context['rows'], document: string, now: number): Promise<Row | undefined> {
  const waits = { waits_for: 'authority', waits_since: now, due_at: now + CLAIM_MS } as const;
  const { doc } = await compareAndSet(rows, document, { absent: () => undefined, change: () => waits, tries: 20 });
  return doc;
}
