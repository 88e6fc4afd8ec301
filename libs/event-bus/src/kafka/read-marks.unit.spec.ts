import { NOTHING_READ } from '../publishing/mark.ts';
import { ReadMarks } from './read-marks.ts';

const partitions = (...all: [high: number, waiting: number][]) => new Map(all.map(([high, waiting], n) => [`t[${n}]`, { high, waiting }]));
const published = (marks: ReadMarks, group = 'g') => marks.of(group).published;

test('nothing is known before anything was counted', () => expect(new ReadMarks().of('g')).toEqual(NOTHING_READ));

test('a group that nothing waits for has read everything until it was counted', () => {
  const marks = new ReadMarks();
  marks.counted('g', { at: 10 }, partitions([5, 0], [0, 0]));
  expect([published(marks), published(marks, 'other')]).toEqual([10, -Infinity]);
});

test('a group whose topics have had no event has nothing to read; the first event ends that', () => {
  const marks = new ReadMarks();
  marks.counted('g', { at: 10 }, partitions([0, 0], [0, 0]));
  expect(marks.of('g')).toMatchObject({ published: 10, empty: true });
  marks.counted('g', { at: 20 }, partitions([0, 0], [1, 1]));
  expect(marks.of('g')).toMatchObject({ published: 10, empty: false });
  marks.counted('g', { at: 30 }, partitions([0, 0], [1, 0]));
  expect(marks.of('g')).toMatchObject({ published: 30, empty: false });
});

test('where more is always waiting, what was there at an earlier count has been read once it is committed', () => {
  const marks = new ReadMarks();
  marks.counted('g', { at: 10 }, partitions([100, 50]));
  marks.counted('g', { at: 20 }, partitions([200, 120]));
  expect(published(marks)).toBe(-Infinity);
  marks.counted('g', { at: 30 }, partitions([300, 150]));
  expect(published(marks)).toBe(10);
  marks.counted('g', { at: 40 }, partitions([400, 60]));
  expect(published(marks)).toBe(30);
});

test('what was stored has been read as far as the mark says that was there before what is read', () => {
  const marks = new ReadMarks();
  marks.counted('g', { at: 10 }, partitions([5, 0]));
  expect(marks.of('g')).toMatchObject({ published: 10, stored: -Infinity });
  const put_aside = { 'live.acct_1': 2 };
  marks.counted('g', { at: 20, mark: { until: 7, put_aside } }, partitions([9, 4]));
  expect(marks.of('g').stored).toBe(-Infinity);
  marks.counted('g', { at: 30, mark: { until: 17, put_aside: {} } }, partitions([12, 3]));
  expect(marks.of('g')).toEqual({ published: 20, stored: 7, putAside: put_aside, empty: false });
  marks.counted('g', { at: 40 }, partitions([12, 0]));
  expect(marks.of('g')).toEqual({ published: 40, stored: 7, putAside: put_aside, empty: false }); // no later mark was read
});
