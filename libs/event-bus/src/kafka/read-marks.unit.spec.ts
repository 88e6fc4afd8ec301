import { ReadMarks } from './read-marks.ts';

const partitions = (...all: [high: number, waiting: number][]) => new Map(all.map(([high, waiting], n) => [`t[${n}]`, { high, waiting }]));

test('nothing is known before anything was counted', () => expect(new ReadMarks().until('g')).toBe(-Infinity));

test('a group that nothing waits for has read everything until it was counted', () => {
  const marks = new ReadMarks();
  marks.counted('g', 10, partitions([5, 0], [0, 0]));
  expect([marks.until('g'), marks.until('other')]).toEqual([10, -Infinity]);
});

test('where more is always waiting, what was there at an earlier count has been read once it is committed', () => {
  const marks = new ReadMarks();
  marks.counted('g', 10, partitions([100, 50]));
  marks.counted('g', 20, partitions([200, 120]));
  expect(marks.until('g')).toBe(-Infinity);
  marks.counted('g', 30, partitions([300, 150]));
  expect(marks.until('g')).toBe(10);
  marks.counted('g', 40, partitions([400, 60]));
  expect(marks.until('g')).toBe(30);
});
