import { type Filter, ObjectId, type UpdateFilter } from 'mongodb';
import { OutcomeUnknown } from '@svc/kernel';
import { reading, writing } from './attempt.ts';
import { keyStored, MARK, markOf, stored, type Stored } from './codec.ts';
import { checkScalars, type ServerCollection } from './server-collection.ts';

/** The update of each document, and the mark that shows afterwards that it was made. */
export interface Change {
  mark: ObjectId;
  update: UpdateFilter<Stored>;
}

export function changeOf(target: ServerCollection, set: object): Change {
  checkScalars(target, set);
  const mark = new ObjectId();
  const { _id, version, ...values } = stored(set);
  const gone = Object.entries(set).flatMap(([key, value]) => (value === undefined ? [[keyStored(key), '']] : []));
  const unset = gone.length > 0 && { $unset: Object.fromEntries(gone) as Record<string, ''> };
  return { mark, update: { $set: { ...values, [MARK]: mark }, $inc: { version: 1 }, ...unset } };
}

/**
 * Changes the one document of this `_id` if it matches. After a try without an answer the next one looks for the mark to see whether the
 * update was made; where that is impossible it throws `OutcomeUnknown`.
 */
export function claimOne(target: ServerCollection, where: Filter<Stored>, { mark, update }: Change): Promise<Stored[]> {
  const task = target.task('findAndModify', 'a claim in');
  return writing(task, async ({ timeoutMS, doubt }) => {
    const filter = doubt ? { ...where, [MARK]: { $ne: mark } } : where;
    const after = await target.stored.findOneAndUpdate(filter, update, { returnDocument: 'after', timeoutMS });
    if (after !== null) return [after];
    if (!doubt) return [];
    const now = await target.stored.findOne({ _id: where._id }, { timeoutMS });
    if (now !== null && markOf(now)?.equals(mark)) return [now];
    const expected = (where['version'] as { $eq?: number } | undefined)?.$eq;
    if (now !== null && expected !== undefined && now['version'] <= expected + 1) return [];
    throw new OutcomeUnknown(`${task.what}: others went on before it was known`);
  });
}

/** Changes each of these documents that still matches; returns them in this order, without those that others have changed since. */
export async function claimEach(
  target: ServerCollection,
  where: Filter<Stored>,
  ids: string[],
  { mark, update }: Change,
): Promise<Stored[]> {
  const ops = ids.map((_id) => ({ updateOne: { filter: { ...where, _id, [MARK]: { $ne: mark } }, update } }));
  await writing(target.task('bulkWrite', 'a claim in'), ({ timeoutMS }) => target.stored.bulkWrite(ops, { ordered: false, timeoutMS }));
  const ours = await reading(target.task('find', 'a claim in'), ({ timeoutMS }) =>
    target.stored.find({ _id: { $in: ids }, [MARK]: mark }, { batchSize: ids.length + 1, timeoutMS }).toArray(),
  );
  const order = new Map(ids.map((id, n) => [id, n]));
  return ours.sort((a, b) => (order.get(a._id) ?? 0) - (order.get(b._id) ?? 0));
}
