import type { Collection, IndexDescription } from 'mongodb';
import { type Declared, scalar } from '../declared.ts';
import type { Index } from '../port.ts';
import { reading } from './attempt.ts';
import type { Stored } from './codec.ts';

/** A collection of the server, and what this process declared of it. */
export interface Place extends Declared {
  readonly stored: Collection<Stored>;
  declare(indexes: Index[]): void;
  /** Resolves when the server is connected and the declared indexes are there; every operation waits for it. Where it rejects, the next call tries again. */
  ready(): Promise<unknown>;
}

/** Runs the work once for all callers; where it failed, again for the next. */
export function onceDone(work: () => Promise<unknown>): () => Promise<unknown> {
  let done: Promise<unknown> | undefined;
  return () =>
    (done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    }));
}

export function placeOf(stored: Collection<Stored>, connected: () => Promise<unknown>): Place {
  let indexes: readonly Index[] = [];
  const declaring = (wanted: IndexDescription[]) =>
    onceDone(async () => {
      await connected();
      if (wanted.length === 0) return;
      await reading(`declaring the indexes of ${stored.namespace}`, ({ timeoutMS }) =>
        stored.createIndexes(wanted, { timeoutMS, commitQuorum: 'majority' }),
      );
    });
  let ready = declaring([]);
  return {
    name: stored.namespace,
    stored,
    get indexes() {
      return indexes;
    },
    declare(more) {
      indexes = [...indexes, ...more];
      ready = declaring(indexes.flatMap(descriptions));
    },
    ready: () => ready(),
  };
}

/**
 * One index for filters and sorts; where it is unique a second beside it, over those documents alone in which no field is null: that
 * one would serve hardly any filter.
 */
function descriptions({ fields, unique }: Index): IndexDescription[] {
  const name = fields.join();
  const key = Object.fromEntries(fields.map((field) => [field, 1 as const]));
  const present = Object.fromEntries(fields.map((field) => [field, { $type: ['string', 'number', 'bool'] }]));
  return [
    ...(name === '_id' ? [] : [{ name, key }]),
    ...(unique ? [{ name: `${name} unique`, key, unique, partialFilterExpression: present }] : []),
  ];
}

/** Throws where an indexed field holds no scalar. */
export function checkScalars({ indexes }: Place, doc: object): void {
  for (const { fields } of indexes) for (const field of fields) scalar((doc as Record<string, unknown>)[field]);
}
