import type { Collection } from '@svc/document-store';
import { categoryOf, idOf, jsonText, type Recorded, statesAfter, type Streams, UnknownEvent, versionAt } from '@svc/kernel';
import type { SubscriptionLog } from '../subscription/subscription.ts';
import type { Projection, Row } from './projection.ts';

export interface FoldRowsOptions<R extends Row> {
  projection: Projection<R>;
  rows: Collection<R>;
  /** For states of streams that began before the first event that is handed over. */
  store: Pick<Streams, 'read'>;
  logger: SubscriptionLog;
}

type Field = 'account' | 'env' | 'ordinal';

/** A row to be written, and what its resource is made of. */
interface Changed<R extends Row> {
  row: Omit<R, 'resource'>;
  state: unknown;
  recorded: Recorded;
}

/**
 * A subscription's handler that folds a batch into the projection's rows: reads the rows it needs once, writes each once, in the order
 * of their creation. Repeating a batch, or all of them, changes nothing: a row accepts only later versions, and keeps its ordinal. An event that this
 * release does not know is skipped and logged. Returns the rows of the batch's events, also those that an earlier attempt has written.
 */
export function foldRows<R extends Row>({ projection, rows, store, logger }: FoldRowsOptions<R>) {
  const fields: readonly Field[] = projection.ordinals ? ['account', 'env', 'ordinal'] : [];
  const states = statesAfter(store);
  const skipped = new WeakSet<Recorded>();
  const fold = knownEvents(projection, (recorded) => skipped.add(recorded));

  /** What the rows of the events are now; with ordinals for new ones, unless all exist. */
  async function rowsBefore(events: Recorded[]) {
    if (!projection.ordinals || events.every(({ revision }) => revision > 0n)) {
      const found = await existing(rows, events, fields);
      if (!projection.ordinals || events.every(({ stream }) => found.has(idOf(stream)))) return { found };
    }
    const ordinals = await ordinalsAfter(rows, events); // before the rows are read: see there
    const found = await existing(rows, events, fields);
    found.forEach((row) => ordinals.seen(row));
    return { found, ordinals };
  }

  return async (batch: readonly Recorded[]): Promise<Pick<Row, Field>[]> => {
    const all = batch.filter(({ stream }) => categoryOf(stream) === projection.category);
    if (all.length === 0) return [];
    const { found, ordinals } = await rowsBefore(all);
    const changed = new Map<string, Changed<R>>();
    const news = all.filter(({ stream, revision }) => versionAt(revision) > (found.get(idOf(stream))?.version ?? 0));
    for (const recorded of states.each(news, () => fold)) {
      const id = idOf(recorded.stream);
      const before = changed.get(id)?.row ?? found.get(id);
      if (before && before.version >= versionAt(recorded.revision)) continue;
      const { state } = await states.after(recorded, fold);
      if (skipped.has(recorded)) {
        const { type, metadata } = recorded;
        logger.warn({ projection: projection.name, type, v: metadata.v }, 'an event that this release does not know was skipped');
        continue;
      }
      const next = projection.row(state, recorded);
      if (!next) continue;
      const row = (projection.ordinals ? { ...next, ordinal: before?.ordinal ?? ordinals?.next(next) } : next) as Omit<R, 'resource'>;
      changed.set(id, { row, state, recorded });
    }
    await rows.write(
      Array.from(changed.values(), ({ row, state, recorded }) => {
        const resource = jsonText(projection.resource(state, recorded));
        return { put: { ...row, resource } as R };
      }),
    );
    return [...found.values(), ...Array.from(changed.values(), ({ row }) => row)];
  };
}

/** The projection, which skips events that this release does not know. */
export function knownEvents<R extends Row>(projection: Projection<R>, skipped?: (recorded: Recorded) => void): Projection<R> {
  return {
    ...projection,
    evolve(state, recorded) {
      try {
        return projection.evolve(state, recorded);
      } catch (error) {
        if (!(error instanceof UnknownEvent)) throw error;
        skipped?.(recorded);
        return state;
      }
    },
    isWhole(recorded) {
      try {
        return projection.isWhole?.(recorded) ?? false;
      } catch (error) {
        if (!(error instanceof UnknownEvent)) throw error;
        return false;
      }
    },
  };
}

/** What the rows of the events are now: of each what decides whether and where it is written, not its resource, which may be long. */
async function existing<R extends Row>(rows: Collection<R>, events: Recorded[], fields: readonly Field[]) {
  const ids = [...new Set(events.map(({ stream }) => idOf(stream)))];
  return new Map((await rows.indexed(ids, fields)).map((row) => [row._id, row]));
}

type Tenant = Pick<Row, 'account' | 'env'>;
const keyOf = ({ account, env }: Tenant): string => `${env}.${account}`;

/** The ordinals of a batch's new rows, per account and environment: the highest so far plus one. */
export interface Ordinals {
  /** Counts an existing row. */
  seen(row: Pick<Row, keyof Tenant | 'ordinal'>): void;
  next(tenant: Tenant): number;
}

/**
 * Reads the highest ordinals so far. Call it before the batch's rows are read, and call `seen` for each row found: a row that is still
 * missing then has no ordinal behind the highest read here, even while another process works on the same events. So both processes
 * give it the same number.
 */
async function ordinalsAfter(rows: Collection<Row>, events: Recorded[]): Promise<Ordinals> {
  const tenants = new Map(events.map(({ metadata }) => [keyOf(metadata), metadata]));
  const highest = new Map<string, number>();
  const read = async (key: string, { account, env }: Tenant): Promise<unknown> =>
    highest.set(key, (await rows.highest('ordinal', { account, env })) ?? 0);
  await Promise.all(Array.from(tenants, ([key, tenant]) => read(key, tenant)));
  const count = (tenant: Tenant, ordinal: number): number => {
    highest.set(keyOf(tenant), ordinal);
    return ordinal;
  };
  const last = (tenant: Tenant): number => highest.get(keyOf(tenant)) ?? 0;
  return {
    seen: (row) => void count(row, Math.max(last(row), row.ordinal ?? 0)),
    next: (tenant) => count(tenant, last(tenant) + 1),
  };
}
