import { createKeeper } from './keeper.ts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const after = (ms: number) => jest.advanceTimersByTimeAsync(ms);

function keeperOf() {
  const page = { isOpen: true };
  const done: string[] = [];
  const keeper = createKeeper<string>({
    isOpen: () => page.isOpen,
    async put(form) {
      await new Promise((resolve) => setTimeout(resolve, 5));
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
  await after(60);
  expect(done).toEqual(['abc']);
});

test('of a page that is left the last change is sent at once, though one is on its way', async () => {
  const { done, keeper } = keeperOf();
  keeper.keep('a');
  keeper.flush();
  await after(1);
  keeper.keep('ab');
  keeper.leave();
  await after(6);
  expect(done).toEqual(['a', 'ab']);
});

test('a form that is removed is not kept again by a change before or after', async () => {
  const { done, keeper } = keeperOf();
  keeper.keep('a');
  keeper.flush();
  await after(1);
  keeper.keep('ab');
  const dropped = keeper.drop();
  await after(5);
  await dropped;
  keeper.keep('abc');
  await after(40);
  expect(done).toEqual(['a', 'removed']);
});

test('the form of the member that the page shows next is not removed', async () => {
  const { done, keeper, page } = keeperOf();
  page.isOpen = false;
  await keeper.drop();
  expect(done).toEqual([]);
});

test('what one member has typed is not kept for the member that the page shows next', async () => {
  const { done, keeper, page } = keeperOf();
  keeper.keep('a');
  page.isOpen = false;
  keeper.flush();
  await after(20);
  expect(done).toEqual([]);
});
