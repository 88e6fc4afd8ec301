import { type AnyBulkWriteOperation, type BulkWriteResult, MongoBulkWriteError } from 'mongodb';
import type { Doc, Write } from '../port.ts';
import { UniqueViolation } from '../unique-violation.ts';
import { reading, writing } from './attempt.ts';
import { stored, type Stored } from './codec.ts';
import { checkScalars, type ServerCollection } from './server-collection.ts';

/** One operation of a write; each may be repeated. `version`: the one that it puts, or the only one that it deletes. */
export interface Step {
  id: string;
  kind: 'insert' | 'put' | 'delete';
  version: number;
  op: AnyBulkWriteOperation<Stored>;
}

/** Instead of a version: a delete of any. */
const ANY = -1;
const DUPLICATE = 11_000;
const MOST_REFUSALS = 3;

export function stepOf<D extends Doc>(target: ServerCollection, write: Write<D>): Step {
  if ('delete' in write) {
    const { delete: _id, version = ANY } = write;
    const filter = version === ANY ? { _id } : { _id, version };
    return { id: _id, kind: 'delete', version, op: { deleteOne: { filter } } };
  }
  const doc = 'insert' in write ? write.insert : write.put;
  checkScalars(target, doc);
  const { _id, version } = doc;
  const step = { id: _id, version };
  const { _id: _, ...rest } = stored(doc);
  if ('insert' in write)
    return { ...step, kind: 'insert', op: { updateOne: { filter: { _id }, update: { $setOnInsert: rest }, upsert: true } } };
  return { ...step, kind: 'put', op: { replaceOne: { filter: { _id, version: { $lt: version } }, replacement: rest, upsert: true } } };
}

/**
 * Sends the steps in order. An upsert fails as a duplicate where its filter did not match: a put when an equal or higher version
 * exists, or when another put of the same document came in between; either when a unique index has its values. Adds the ids of inserts to `done`, as far as
 * an answer names them.
 */
export async function writeInOrder(target: ServerCollection, steps: Step[], done: Set<string>): Promise<void> {
  let refusals = 0;
  for (let rest = steps; rest.length > 0;) {
    const refused = await send(target, rest, done);
    if (refused === undefined) return;
    const step = rest[refused] as Step;
    rest = rest.slice(refused);
    if (step.kind === 'insert') rest = rest.slice(1);
    else rest = await withoutStale(target, rest);
    refusals = rest[0] === step ? refusals + 1 : 0;
    if (refusals === MOST_REFUSALS) throw new UniqueViolation(`a unique index of ${target.name} refuses ${step.id}`);
  }
}

/** The step that failed as a duplicate, so that those behind it were not done; undefined: all are done. */
async function send(target: ServerCollection, steps: Step[], done: Set<string>): Promise<number | undefined> {
  const ops = steps.map(({ op }) => op);
  const note = ({ upsertedIds }: Pick<BulkWriteResult, 'upsertedIds'>): void => {
    for (const at of Object.keys(upsertedIds)) {
      const { id, kind } = steps[Number(at)] as Step;
      if (kind === 'insert') done.add(id);
    }
  };
  return writing(target.task('bulkWrite', 'a write to'), async ({ timeoutMS }) => {
    try {
      note(await target.stored.bulkWrite(ops, { timeoutMS }));
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError && error.code === DUPLICATE)) throw error;
      note(error.result);
      return [error.writeErrors].flat()[0]?.index;
    }
  });
}

/** Without the puts over which an equal or higher version exists, so that a repeated batch costs one error and not one each. */
async function withoutStale(target: ServerCollection, steps: Step[]): Promise<Step[]> {
  const ids = [...new Set(steps.map(({ id }) => id))];
  const found = await reading(target.task('find', 'versions of'), ({ timeoutMS }) =>
    target.stored.find({ _id: { $in: ids } }, { projection: { version: 1 }, timeoutMS }).toArray(),
  );
  const versions = new Map(found.map(({ _id, version }) => [_id, version as number]));
  return steps.filter(({ id, kind, version }) => {
    if (kind === 'delete' && (version === ANY || version === versions.get(id))) versions.delete(id); // what follows applies to a new document
    return kind !== 'put' || !(version <= (versions.get(id) ?? -Infinity));
  });
}
