import { ApiError } from '@svc/client/console';

/** The fields that are not as they were. What is as it was is not sent, so that a form undoes no other change. */
export const changedFields = <Values extends object>(before: Values, now: Values): Partial<Values> =>
  Object.fromEntries(
    (Object.entries(now) as [keyof Values, unknown][]).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  ) as Partial<Values>;

export interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

/** Somebody has changed what a form shows since it was opened. Nothing was saved. */
export class Crossed extends Error {
  override readonly name = 'Crossed';
  constructor(
    readonly changes: readonly FieldChange[],
    /** What the form shows next: theirs, and what this person has changed. The next press saves it. */
    readonly merged: object,
  ) {
    super('It was changed since it was opened');
  }
}

interface ChangeOptions<Of extends { version: number }, Values extends object> {
  /** As it is when the form is opened. */
  opened: Of;
  valuesOf(resource: Of): Values;
  /** As it is now. */
  read(): Promise<Of>;
  /** Sends what `values` changes of `before`, with these headers. */
  write(change: { before: Of; values: Values; headers: { 'If-Match': string } }): Promise<Of>;
  /** What a person has made of `before`, applied to `now`. By default their fields, whole. */
  merge?(versions: { before: Values; now: Values; mine: Values }): Values;
}

/** A version that changes in nothing that the form shows is taken so often, since another may follow at once. */
const MOST_TAKEN = 3;

/** A change of a resource, against what it was when its form was opened or saved last. `save` rejects with `Crossed` where another person has changed it since. */
export function createChange<Of extends { version: number }, Values extends object>(options: ChangeOptions<Of, Values>) {
  const { opened, valuesOf, read, write, merge = mergeFields } = options;
  let before = opened;
  return {
    initial: valuesOf(opened),
    /** The form follows a version that was read since it was opened. Returns the one before; undefined: it is no newer. */
    take(now: Of): Of | undefined {
      if (now.version <= before.version) return undefined;
      const was = before;
      before = now;
      return was;
    },
    async save(values: Values): Promise<Of> {
      for (let taken = 0; ; taken += 1)
        try {
          return (before = await write({ before, values, headers: { 'If-Match': `"${before.version}"` } }));
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 'version_conflict' || taken === MOST_TAKEN) throw error;
          const [then, now] = [valuesOf(before), await read()];
          before = now;
          const theirs = changesBetween(then, valuesOf(now));
          if (theirs.length > 0) throw new Crossed(theirs, merge({ before: then, now: valuesOf(now), mine: values }));
        }
    },
  };
}

/** `now`, with what `mine` has changed of `before`. */
export const mergeFields = <Values extends object>({ before, now, mine }: { before: Values; now: Values; mine: Values }): Values => ({
  ...now,
  ...changedFields(before, mine),
});

const changesBetween = <Values extends object>(before: Values, now: Values): FieldChange[] =>
  Object.entries(changedFields(before, now)).map(([field, to]) => ({ field, from: before[field as keyof Values], to }));
