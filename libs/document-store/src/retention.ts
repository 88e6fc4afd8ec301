import type { Clock } from '@svc/kernel';
import { Counter, Gauge } from 'prom-client';
import { startJobs, type Job, type JobQueue } from './jobs.ts';
import type { Collection, Doc, DocumentStore } from './port.ts';

/** What a collection keeps, and how long. */
export interface Retention<D extends Doc> {
  /** Of the collection; no other database has one of this name, since metrics name it. */
  name: string;
  collection: Pick<Collection<D>, 'page' | 'read' | 'write' | 'size'>;
  /** `_id`, or the first field of a declared index. Its values are in the order in which documents go; few documents have the same one. */
  field: string;
  /** The first value of the field that stays, at this time (milliseconds since 1970). */
  keptFrom(now: number): string | number;
  /** Of documents below that value those that go; each pass asks again about the others. Absent: all go. */
  removable?(docs: readonly D[], now: number): Promise<readonly D[]> | readonly D[];
}

/** A walk over the documents of one collection that may go, oldest first. `_id`: the collection's name. */
export interface Pass extends Job {
  /** The field's value up to which documents were looked at; null: the pass has not begun. */
  at: string | number | null;
  /** Whether all documents with this value were. */
  isPast: boolean;
}

export interface RetentionOptions {
  documents: DocumentStore;
  clock: Clock;
  logger: { error(fields: object, message: string): void };
  of: readonly Retention<Doc>[];
}

export interface RunningRetention {
  passes: Collection<Pass>;
  start(): Pick<JobQueue, 'stop'>;
}

/** The collection of passes: a backup need not hold it. */
export const RETENTION = 'retention';

/** Limits of one step, whose deletes are one write: some milliseconds on the embedded engine, where a row has up to ten index entries. */
const ROWS = 100;
const BYTES = 256 * 1024;
/** After a step its pass waits this many times as long as the step took. */
const PAUSE = 4;
const LEAST_PAUSE_MS = 10;
const FIRST_MS = 60_000;
const EVERY_MS = 10 * 60_000;
const AFTER_ERROR_MS = 1_000;

const removed = new Counter({
  name: 'svc_retention_removed_total',
  help: 'Documents that were removed because they were older than they are kept',
  labelNames: ['collection'],
});

/**
 * Removes what collections keep no longer, every ten minutes, a hundred documents or 256 KiB at a time. Passes are jobs: one replica runs a step of a pass, and any goes on
 * after it was killed. A document is deleted at the version that was read, so that one that has changed since stays; a step that is repeated deletes nothing else.
 */
export function createRetention({ documents, clock, logger, of }: RetentionOptions): RunningRetention {
  const passes = documents.collection<Pass>(RETENTION, { indexes: [{ fields: ['due_at'] }] });
  const retentions = new Map(of.map((one) => [one.name, one]));

  async function step(pass: Pass): Promise<void> {
    const { _id, version } = pass;
    const retention = retentions.get(_id);
    const began = clock.now();
    const next = retention && (await removeSome(retention, pass, began));
    const ended = clock.now();
    const set = next
      ? { ...next, due_at: ended + Math.max(LEAST_PAUSE_MS, PAUSE * (ended - began)) }
      : { ...FROM_START, due_at: ended + EVERY_MS }; // also one that only another release knows
    await passes.claim({ _id, version }, { set });
  }

  async function begin(stopped: AbortSignal): Promise<void> {
    const first = of.map(({ name }) => ({ insert: { _id: name, version: 1, due_at: clock.now() + FIRST_MS, ...FROM_START } }));
    while (!stopped.aborted)
      try {
        await passes.write(first);
        return;
      } catch (error) {
        logger.error({ err: error }, 'the removal of old documents could not begin; it is tried again');
        await clock.sleep(AFTER_ERROR_MS, stopped);
      }
  }

  return {
    passes,
    start() {
      const stopped = new AbortController();
      const unmeasured = measureRetained(of);
      const queue = begin(stopped.signal).then(() =>
        stopped.signal.aborted
          ? undefined
          : startJobs({
              ...{ name: 'retention', collection: passes, clock, logger, batch: 1, lookEvery: EVERY_MS },
              handle: async (due) => void (await Promise.all(due.map(step))),
            }),
      );
      return {
        async stop() {
          stopped.abort();
          unmeasured();
          await (await queue)?.stop();
        },
      };
    },
  };
}

const FROM_START = { at: null, isPast: false } satisfies Partial<Pass>;

/** Removes what goes of the next documents of a pass. Says where it goes on; undefined: it is at its end. */
async function removeSome(
  { name, collection, field, keptFrom, removable }: Retention<Doc>,
  { at, isPast }: Pass,
  now: number,
): Promise<Pick<Pass, 'at' | 'isPast'> | undefined> {
  const filter = { [field]: { ...(at === null ? {} : { [isPast ? '$gt' : '$gte']: at }), $lt: keptFrom(now) } };
  const { docs, left } = await collection.page(filter, { sort: { [field]: 1 }, limit: ROWS }, BYTES);
  const found = docs.length > 0 ? docs : (await Array.fromAsync(collection.read(left.slice(0, 1), filter, BYTES))).flat();
  const gone = removable ? await removable(found, now) : found;
  if (gone.length > 0) await collection.write(gone.map(({ _id, version }) => ({ delete: _id, version })));
  removed.inc({ collection: name }, gone.length);
  if (left.length === 0 && docs.length < ROWS) return undefined;
  const last = found.at(-1) as Record<string, unknown> | undefined;
  return last ? { at: last[field] as Pass['at'], isPast: gone.length < found.length } : { at, isPast };
}

interface Retained {
  name: string;
  collection: Pick<Collection<Doc>, 'size'>;
}

const measured = new Set<Retained>();

/** Every replica reports the same figures. Rejects where the database does not answer: then the metric is absent. */
const gaugeOf = (name: string, help: string, figure: 'documents' | 'bytes'): Gauge =>
  new Gauge({
    name,
    help,
    labelNames: ['collection'],
    async collect() {
      const all = [...measured];
      const sizes = await Promise.all(all.map(({ collection }) => collection.size()));
      this.reset();
      for (const [n, one] of all.entries()) if (measured.has(one)) this.set({ collection: one.name }, sizes[n]?.[figure] ?? 0);
    },
  });

const gauges = [
  gaugeOf('svc_retained_documents', 'About how many documents there are in collections that keep theirs for a time', 'documents'),
  gaugeOf('svc_retained_bytes', 'About how many bytes the documents of these collections take, without indexes', 'bytes'),
];

/** Exports the sizes of collections until the returned function is called. */
function measureRetained(retained: readonly Retained[]): () => void {
  for (const one of retained) measured.add(one);
  return () => {
    for (const one of retained) measured.delete(one);
    if (measured.size === 0) for (const gauge of gauges) gauge.reset();
  };
}
