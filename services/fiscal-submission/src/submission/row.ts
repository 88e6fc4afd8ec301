import type { Collection, Due } from '@svc/document-store';
import type { Clock, Env } from '@svc/kernel';

/**
 * When a submission is to be worked on next. Everything else stands in its stream; a row is due while something is left to be done.
 * `_id` is the document's id.
 */
export interface Row extends Due {
  account: string;
  env: Env;
  /** What shares a queue at the authority. */
  lane: string;
  authority: string;
  /** Attempts beyond those that are stored. */
  beyond: number;
  /** One of those is under way, or was when its process died: no event tells of it. */
  calling?: boolean;
}

export const rowIndexes = [{ fields: ['due_at'] }];

/** A row in somebody's hands comes back after this long, should its process die: longer than a call may last. */
export const CLAIM_MS = 15_000;

const ATTEMPTS = 20;

/** Where no chain orders the records, the documents of one account and environment share a lane. */
export const newRow = (of: { _id: string; account: string; env: Env; authority: string }, now: number): Row => ({
  ...of,
  version: 1,
  lane: `${of.env}.${of.account}`,
  beyond: 0,
  due_at: now + CLAIM_MS,
});

/**
 * Writes that there is work to do, and answers the row as one that the caller has in hand. Whoever was about to write that nothing is
 * left does so over an older version, and so does not.
 */
export async function claimRow(rows: Collection<Row>, clock: Pick<Clock, 'now'>, of: Parameters<typeof newRow>[0]): Promise<Row> {
  const made = newRow(of, clock.now());
  if (await rows.insert(made)) return made;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const found = await rows.get(of._id);
    const [taken] = found ? await rows.claim({ _id: found._id, version: found.version }, { set: { due_at: clock.now() + CLAIM_MS } }) : [];
    if (taken) return taken;
  }
  throw new Error(`the row of ${of._id} changes too fast`);
}

/** Changes a row in hand; undefined when somebody else changed it meanwhile, who then has it. */
export async function change(rows: Collection<Row>, { _id, version }: Row, set: Partial<Row>): Promise<Row | undefined> {
  const [changed] = await rows.claim({ _id, version }, { set });
  return changed;
}
