import { ApiError } from '@svc/client/console';
import { changedFields, createChange, Crossed } from './change.ts';

interface Thing {
  version: number;
  name: string;
  rate: number;
  seen: number;
}
type Values = Pick<Thing, 'name' | 'rate'>;

/** A resource that others change, too. */
function stored(now: Thing) {
  const sent: object[] = [];
  return {
    sent,
    others: (change: Partial<Thing>): void => void (now = { ...now, ...change, version: now.version + 1 }),
    change: createChange<Thing, Values>({
      opened: now,
      valuesOf: ({ name, rate }) => ({ name, rate }),
      read: async () => now,
      async write({ before, values, headers }) {
        const body = changedFields({ name: before.name, rate: before.rate }, values);
        if (headers['If-Match'] !== `"${now.version}"`)
          throw new ApiError({ status: 412, code: 'version_conflict', message: 'It has changed.', requestId: null });
        sent.push(body);
        return (now = { ...now, ...body, version: now.version + 1 });
      },
    }),
  };
}
const thing = { version: 1, name: 'Shop', rate: 5, seen: 0 };

test('what others have changed since the form was opened is shown and kept, and the next press saves what this person changed', async () => {
  const { sent, others, change } = stored(thing);
  others({ rate: 9 });
  const error = await change.save({ name: 'Store', rate: 5 }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Crossed);
  const { changes, merged } = error as Crossed;
  expect([changes, merged]).toEqual([[{ field: 'rate', from: 5, to: 9 }], { name: 'Store', rate: 9 }]);
  expect(await change.save(merged as Values)).toMatchObject({ name: 'Store', rate: 9 });
  expect(sent).toEqual([{ name: 'Store' }]);
});

test('a form that stays open is saved again against what it has saved', async () => {
  const { sent, change } = stored(thing);
  await change.save({ name: 'Store', rate: 5 });
  await change.save({ name: 'Store', rate: 6 });
  expect(sent).toEqual([{ name: 'Store' }, { rate: 6 }]);
});

test('a new version that changes nothing of what the form shows is no reason to ask', async () => {
  const { sent, others, change } = stored(thing);
  others({ seen: 1 });
  await change.save({ name: 'Store', rate: 5 });
  expect(sent).toEqual([{ name: 'Store' }]);
});

test('a form that follows what was read since saves a change of that, and an older version is none', async () => {
  const { sent, others, change } = stored(thing);
  others({ rate: 9 });
  const now = { ...thing, version: 2, rate: 9 };
  expect([change.take(now), change.take(thing)]).toEqual([thing, undefined]);
  await change.save({ name: 'Store', rate: 9 });
  expect(sent).toEqual([{ name: 'Store' }]);
});
