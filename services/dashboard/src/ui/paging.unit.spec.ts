import { isPastEnd, newestOf } from './paging.ts';

const PAGE = 100;
const metaOf = (page: number, total: number) => ({
  ...{ current_page: page, per_page: PAGE, total, last_page: Math.max(1, Math.ceil(total / PAGE)) },
});

/** The newest ten of a list of 1, 2, 3 …, and how many pages were read for them. */
async function newest(total: number): Promise<[number[], number]> {
  let reads = 0;
  const found = await newestOf(10, async (page) => {
    reads += 1;
    const data = Array.from({ length: PAGE }, (_, n) => (page - 1) * PAGE + n + 1).filter((row) => row <= total);
    return { data, meta: metaOf(page, total) };
  });
  return [found, reads];
}

test.each([
  [7, [7, 6, 5, 4, 3, 2, 1], 1],
  [103, [103, 102, 101, 100, 99, 98, 97, 96, 95, 94], 2],
  [203, [203, 202, 201, 200, 199, 198, 197, 196, 195, 194], 3],
  [250, [250, 249, 248, 247, 246, 245, 244, 243, 242, 241], 2],
])('the newest of %i are the last ones, whatever page they are on', async (total, rows, reads) => {
  expect(await newest(total)).toEqual([rows, reads]);
});

test('a page is past the end where there are rows, but not so many', () => {
  expect([isPastEnd(metaOf(3, 201)), isPastEnd(metaOf(50, 20)), isPastEnd(metaOf(2, 0))]).toEqual([false, true, false]);
});
