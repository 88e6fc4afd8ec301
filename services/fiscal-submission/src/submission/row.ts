import { compareAndSet, type Collection, type Job } from '@svc/document-store';
import type { Clock, Env } from '@svc/kernel';

/** The job of a submission: when it is due next. Everything else is in its stream. `_id` is the document's id. */
export interface Row extends Job {
  account: string;
  env: Env;
  /** The key of its queue. */
  lane: string;
  authority: string;
  /** Number of attempts beyond the stored ones. */
  beyond: number;
  /** When the last of them began, in milliseconds. Optional until 0.3: rows written before 0.2 have none. */
  called_at?: number;
  /** Such an attempt is under way, or its process died: no event records it. */
  calling?: boolean;
  /** Whom it waits for: the authority, or an operator who reviews it; null: it does not wait. */
  waits_for: 'authority' | 'review' | null;
  /** Since when, in milliseconds. */
  waits_since: number | null;
  /** Since when the authority fails at its record each time, in milliseconds, and with which code. Absent, null: it does not. */
  failing_since?: number | null;
  failing_code?: string | null;
  /** When its authority takes it no more, in milliseconds. Absent, null: never, or nothing of it waits. Optional until 0.3: rows written before 0.2 have none. */
  deadline_at?: number | null;
  /** The authority's code of a registered record that this software made wrong, until it is amended. Absent: none. */
  flawed?: string | null;
}

export const rowIndexes = [
  { fields: ['due_at'], present: 'due_at' },
  { fields: ['authority', 'env', 'waits_for', 'waits_since', 'due_at'], present: 'waits_for' },
  { fields: ['authority', 'env', 'flawed', '_id'], present: 'flawed' },
  { fields: ['authority', 'env', 'failing_since'], present: 'failing_since' },
  { fields: ['authority', 'env', 'deadline_at'], present: 'deadline_at' },
];

/** How long an attempt lasts at most, in milliseconds: a call may take 10 s. Then another process gives it up. */
export const ATTEMPT_MS = 12_000;

/** How long a claim lasts, in milliseconds: longer than a call. The row is due again when its process dies. */
export const CLAIM_MS = 15_000;

const ATTEMPTS = 20;

/** A job that its creator has claimed. Documents of one account and environment share a queue where no chain orders the records. */
export const newRow = (
  { chain, ...of }: Pick<Row, '_id' | 'account' | 'env' | 'authority' | 'deadline_at'> & { chain?: string | undefined },
  now: number,
): Row => ({
  ...of,
  version: 1,
  lane: chain ?? `${of.env}.${of.account}`,
  beyond: 0,
  due_at: now + CLAIM_MS,
  waits_for: 'authority',
  waits_since: now,
});

/**
 * Writes that work is left, and returns the row as claimed by the caller. A concurrent write that nothing is left fails, because it has an
 * older version. Throws `service_unavailable` after 20 concurrent changes.
 */
export async function claimRow(rows: Collection<Row>, clock: Pick<Clock, 'now'>, of: Parameters<typeof newRow>[0]): Promise<Row> {
  const made = newRow(of, clock.now());
  if (await rows.insert(made)) return made;
  const waiting = { waits_for: 'authority', waits_since: clock.now() } as const;
  const { deadline_at = null } = of;
  const change = ({ waits_for }: Row): Partial<Row> => ({
    ...{ due_at: clock.now() + CLAIM_MS, deadline_at },
    ...(waits_for === 'authority' ? {} : waiting),
  });
  const { doc } = await compareAndSet(rows, of._id, { absent: () => made, change, tries: ATTEMPTS });
  return doc;
}

/** Changes a claimed row by compare-and-set; undefined when another worker has changed it and so claimed it. */
export async function change(rows: Collection<Row>, { _id, version }: Row, set: Partial<Row>): Promise<Row | undefined> {
  const [changed] = await rows.claim({ _id, version }, { set });
  return changed;
}

/** Makes a submission due at `now`, in milliseconds, that waits for longer than a call takes. Whether it was waiting: what another process has claimed for a call is not changed. */
export async function makeDue(rows: Collection<Row>, id: string, now: number): Promise<boolean> {
  const isWaiting = ({ calling, due_at }: Row): boolean => calling !== true && due_at !== null && due_at > now + CLAIM_MS;
  const { doc } = await compareAndSet<Row, undefined>(rows, id, {
    absent: () => undefined,
    change: (row) => (isWaiting(row) ? { due_at: now } : undefined),
    tries: 5,
  });
  return doc?.due_at === now;
}
