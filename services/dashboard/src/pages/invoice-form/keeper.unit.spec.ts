import { setTimeout as sleep } from 'node:timers/promises';
import { createKeeper } from './keeper.ts';

function keeperOf() {
  const page = { isOpen: true };
  const done: string[] = [];
  const keeper = createKeeper<string>({
    isOpen: () => page.isOpen,
    async put(form) {
      await sleep(5);
      done.push(form);
    },
    remove: async () => void done.push('removed'),
    kept: () => undefined,
    waitMs: 10,
  });
  return { done, keeper, page };
}

test('of changes that follow each other the last is kept', async () => {
  const { done, keeper } = keeperOf();
  for (const text of ['a', 'ab', 'abc']) keeper.keep(text);
  await sleep(60);
  expect(done).toEqual(['abc']);
});

test('a form that is removed is not kept again by a change before or after', async () => {
  const { done, keeper } = keeperOf();
  keeper.keep('a');
  keeper.flush();
  await sleep(1);
  keeper.keep('ab');
  await keeper.drop();
  keeper.keep('abc');
  await sleep(40);
  expect(done).toEqual(['a', 'removed']);
});

test('what one member has typed is not kept for the member that the page shows next', async () => {
  const { done, keeper, page } = keeperOf();
  keeper.keep('a');
  page.isOpen = false;
  keeper.flush();
  await sleep(20);
  expect(done).toEqual([]);
});
