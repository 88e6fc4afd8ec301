import type { Due, Index, Write } from '@svc/documents';
import type { Recorded } from '@svc/kernel';
import { categoryOf, idOf } from '../streams.ts';
import type { DocumentRef, Watched } from './watched.ts';

/** A document between steps. `_id` is its stream. */
export interface Unfinished extends Due, DocumentRef {
  category: string;
}

export const unfinishedIndexes: Index[] = [{ fields: ['due_at'] }];

/** Who began has so long to go on before somebody else does. */
const HEAD_START_MS = 2_000;

/**
 * A follower's handler that keeps a row for each document that is between steps. Only this handler makes and deletes rows, in the order
 * of the store; whoever works on one moves its `due_at` alone.
 */
export function projectUnfinished(
  watched: readonly Watched[],
  write: (ops: Write<Unfinished>[]) => Promise<void>,
): (events: Recorded[]) => Promise<void> {
  const byCategory = new Map(watched.map((one) => [one.category, one]));
  return async (events) => {
    const ops = new Map<string, Write<Unfinished>[]>();
    for (const recorded of events) {
      const { stream } = recorded;
      const step = byCategory.get(categoryOf(stream))?.step(recorded);
      if (step === 'done') ops.set(stream, [{ delete: stream }]);
      if (step === 'open') ops.set(stream, [...(ops.get(stream) ?? []), { insert: rowOf(recorded) }]);
    }
    if (ops.size > 0) await write([...ops.values()].flat());
  };
}

const rowOf = ({ stream, recordedAt, metadata: { account, env } }: Recorded): Unfinished => ({
  _id: stream,
  version: 1,
  due_at: recordedAt + HEAD_START_MS,
  category: categoryOf(stream),
  account,
  env,
  id: idOf(stream),
});
