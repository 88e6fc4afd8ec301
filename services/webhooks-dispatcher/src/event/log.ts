import { UniqueViolation } from '@svc/document-store';
import { DomainError, KeyedQueue } from '@svc/kernel';
import { isStored, lastPosition, type EventRow, type Events, type Tenant } from './event.ts';

/** A try fails only where another process has stored events of the same account meanwhile. */
const TRIES = 50;

/**
 * Gives events their positions in the log of their account and environment, as their rows are stored: 1 more than the highest one that is stored. A unique index
 * refuses a position that another process has taken meanwhile, and nothing behind it is stored then. So the positions that can be read have no gap, whoever stores
 * and whenever it dies: nothing is ever stored below a position that was read (decisions/log.md).
 */
export function createEventLog(events: Events, stored: (rows: readonly EventRow[]) => void) {
  const queue = new KeyedQueue();

  /** Of rows in their order, at the positions behind those that are stored; without those that are stored already. */
  async function positioned(rows: readonly EventRow[]): Promise<EventRow[]> {
    // The positions before the rows: a row that is missing then is not stored at one of these positions.
    const ends = new Map<string, number | null>();
    for (const row of rows) if (!ends.has(tenantOf(row))) ends.set(tenantOf(row), await endOf(events, row));
    const known = await knownOf(events, rows);
    // Each once: the second of two equal ones would not be stored, and leave a gap.
    const distinct = new Map(rows.map((row) => [row._id, row]));
    return [...distinct.values()].flatMap((row): EventRow[] => {
      const before = known.get(row._id);
      if (before && (isStored(before) || !isStored(row))) return [];
      // It replaces a reference at its position.
      if (before) return [at({ ...row, version: before.version + 1 } as EventRow, before.log_position ?? null)];
      const end = ends.get(tenantOf(row));
      if (end === null || end === undefined) return [row];
      ends.set(tenantOf(row), end + 1);
      return [at(row, end + 1)];
    });
  }

  const write = async (rows: readonly EventRow[]): Promise<void> => {
    await events.write(rows.map((put) => ({ put })));
    stored(rows);
  };

  return {
    /** Runs the work of one batch after the other: two that are stored at once would take the same positions. */
    inTurn: <T>(work: () => Promise<T>): Promise<T> => queue.add('', work),
    /**
     * Looks up the positions of these rows. The returned function stores the rows, the first time without a further look: in the same transaction as what the caller writes
     * in the same turn. Rows that are stored already stay as they are, but a stored event replaces a reference. Throws `service_unavailable` where other processes were faster each time.
     */
    async prepare(rows: readonly EventRow[]): Promise<() => Promise<void>> {
      let next = await positioned(rows);
      return async () => {
        for (let tries = 1; next.length > 0; tries += 1) {
          try {
            return await write(next);
          } catch (error) {
            if (!(error instanceof UniqueViolation)) throw error;
            if (tries === TRIES) throw tooMany(error);
          }
          next = await positioned(rows);
        }
      };
    },
  };
}

export type EventLog = ReturnType<typeof createEventLog>;

const at = (row: EventRow, position: number | null): EventRow => (position === null ? row : { ...row, log_position: position });

/**
 * The highest position of the log; 0: it is empty. until 0.3: null where rows of release 0.1.0 still wait for their positions: what is stored now waits behind
 * them.
 */
async function endOf(events: Events, tenant: Tenant): Promise<number | null> {
  const isComplete = await positionRest(events, tenant);
  return isComplete ? lastPosition(events, tenant) : null;
}

/** Those that are stored, one read at a time, because each row may hold a body. */
async function knownOf(events: Events, rows: readonly EventRow[]): Promise<Map<string, EventRow>> {
  const known = new Map<string, EventRow>();
  const ids = rows.map(({ _id }) => _id);
  if ((await events.count({ _id: { $in: ids } })) === 0) return known;
  for (const id of ids) {
    const row = await events.get(id);
    if (row) known.set(id, row);
  }
  return known;
}

const tenantOf = ({ account, env }: Tenant): string => `${env} ${account}`;

const tooMany = (cause: unknown): DomainError =>
  Object.assign(new DomainError('service_unavailable', 'Too many events at the same time: they are stored later.', undefined, 1), {
    cause,
  });

/** Rows that get their positions at once: each is a write of its own. */
const AT_ONCE = 100;

/**
 * until 0.3: release 0.1.0 stores events without a position in the log. Gives positions to some of them, in the order of the index, which is that of storing on
 * both engines. They come behind what is stored, so that nothing changes below a position that was read. True: none is left.
 */
export async function positionRest(events: Events, { account, env }: Tenant): Promise<boolean> {
  const unpositioned = async (limit: number): Promise<string[]> => {
    const { docs, left } = await events.page({ account, env, log_position: null }, { limit }, 1);
    return [...docs.map(({ _id }) => _id), ...left];
  };
  const ids = await unpositioned(AT_ONCE);
  if (ids.length === 0) return true;
  let end = await lastPosition(events, { account, env });
  for (const id of ids) {
    try {
      const [positioned] = await events.claim({ _id: id, log_position: null }, { set: { log_position: end + 1 } });
      if (positioned) end += 1; // else another process has positioned it
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      end = await lastPosition(events, { account, env }); // the row has its turn with the next ones
    }
  }
  return (await unpositioned(1)).length === 0;
}
