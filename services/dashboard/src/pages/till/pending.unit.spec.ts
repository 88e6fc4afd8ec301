import { isRepeatedByItself, isTooOld, type Pending, pendingStore } from './pending.ts';

const pending = (key: string): Pending => ({ key, body: { items: [] }, at: '2026-11-29T10:00:00.000Z' });

function storage() {
  const items = new Map<string, string>();
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  };
}

test('an answer removes the receipt that it is of, and none that was asked for since', () => {
  const store = pendingStore('acc_1:usr_1:live', storage());
  store.write(pending('first'));
  store.write(pending('second'));
  store.remove('first');
  expect(store.read()).toMatchObject({ key: 'second' });
  store.remove('second');
  expect(store.read()).toBeNull();
});

test('it is repeated by itself for ten minutes, and by a press for a day', () => {
  const after = (minutes: number): number => Date.parse('2026-11-29T10:00:00.000Z') + minutes * 60_000;
  expect([9, 11].map((minutes) => isRepeatedByItself(pending('first'), after(minutes)))).toEqual([true, false]);
  expect([11, 24 * 60].map((minutes) => isTooOld(pending('first'), after(minutes)))).toEqual([false, true]);
});
