import type { Collection, Job, Index, Write } from '@svc/document-store';
import { versionAt, type Recorded, categoryOf, idOf } from '@svc/kernel';
import type { Process } from './process.ts';
import type { DocumentRef } from './ref.ts';

/** A document between steps. `_id` is its stream. */
export interface BetweenSteps extends Job, DocumentRef {
  category: string;
}

export const betweenStepsIndexes: Index[] = [{ fields: ['due_at'] }];

/** The caller that began has so long to continue before another process does. */
const HEAD_START_MS = 2_000;

/** A row's version is its stream's, times this: so many times a row can be claimed for work before the stream goes on. */
const CLAIMS = 2 ** 32;
const versionOf = ({ revision }: Recorded): number => versionAt(revision) * CLAIMS;

/**
 * A subscription's handler that keeps a row for each document that is between steps. A process whose lease has passed may still write: a row is
 * written only over one of an earlier event, and deleted only as it was seen, by an event that came after it. What is written all the
 * same for a document at rest, the worker deletes: it looks at the stream.
 */
export function projectBetweenSteps(
  processes: readonly Process[],
  rows: Pick<Collection<BetweenSteps>, 'find' | 'write'>,
): (events: Recorded[]) => Promise<void> {
  const byCategory = new Map(processes.map((one) => [one.category, one]));

  async function deletesOf(done: ReadonlyMap<string, Recorded>): Promise<Write<BetweenSteps>[]> {
    const found = done.size === 0 ? [] : await Array.fromAsync(rows.find({ _id: { $in: [...done.keys()] } }, { limit: done.size }));
    return found.flatMap(({ _id, version }) => (version < versionOf(done.get(_id) as Recorded) ? [{ delete: _id, version }] : []));
  }

  return async (events) => {
    const open = new Map<string, Recorded>();
    const done = new Map<string, Recorded>();
    for (const recorded of events) {
      const step = byCategory.get(categoryOf(recorded.stream))?.afterEvent(recorded);
      if (step === undefined) continue;
      const [to, from] = step === 'open' ? [open, done] : [done, open];
      from.delete(recorded.stream);
      to.set(recorded.stream, recorded);
    }
    const ops = [...(await deletesOf(done)), ...Array.from(open.values(), (recorded) => ({ put: rowOf(recorded) }))];
    if (ops.length > 0) await rows.write(ops);
  };
}

const rowOf = (recorded: Recorded): BetweenSteps => {
  const { stream, recordedAt, metadata } = recorded;
  const { account, env } = metadata;
  return {
    _id: stream,
    version: versionOf(recorded),
    due_at: recordedAt + HEAD_START_MS,
    category: categoryOf(stream),
    account,
    env,
    id: idOf(stream),
  };
};
