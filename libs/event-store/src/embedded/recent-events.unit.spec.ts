import type { Recorded } from '@svc/kernel';
import { RecentEvents } from './recent-events.ts';

const add = (recent: RecentEvents, positions: number[], bytes = 1): void =>
  recent.add(positions.map((position) => ({ position: BigInt(position), bytes }) as Recorded));
const positions = (events: Recorded[] | undefined): number[] | undefined => events?.map(({ position }) => Number(position));

describe('recent events', () => {
  test('hands out what follows a position, so many at most', () => {
    const recent = new RecentEvents();
    add(recent, [5, 6]);
    add(recent, [7, 8]);
    expect(positions(recent.after(4n, 10))).toEqual([5, 6, 7, 8]);
    expect(positions(recent.after(6n, 1))).toEqual([7]);
  });

  test('knows nothing of what came before the oldest or comes after the newest', () => {
    const recent = new RecentEvents();
    expect(recent.after(0n, 10)).toBeUndefined();
    add(recent, [5, 6]);
    expect(recent.after(3n, 10)).toBeUndefined();
    expect(recent.after(6n, 10)).toBeUndefined();
  });

  test('starts anew after a gap, for it would hand out events as if they were neighbours', () => {
    const recent = new RecentEvents();
    add(recent, [1, 2]);
    add(recent, [5]);
    expect(recent.after(1n, 10)).toBeUndefined();
    expect(positions(recent.after(4n, 10))).toEqual([5]);
  });

  test('forgets what everybody has', () => {
    const recent = new RecentEvents();
    add(recent, [1, 2, 3]);
    recent.forget(0n);
    recent.forget(2n);
    expect(recent.after(1n, 10)).toBeUndefined();
    expect(positions(recent.after(2n, 10))).toEqual([3]);
    recent.forget(9n);
    expect(recent.after(2n, 10)).toBeUndefined();
  });

  test('keeps so many at most; beyond, the newest half', () => {
    const recent = new RecentEvents(6);
    add(recent, [1, 2, 3, 4, 5, 6]);
    expect(positions(recent.after(0n, 10))).toHaveLength(6);
    add(recent, [7]);
    expect(recent.after(3n, 10)).toBeUndefined();
    expect(positions(recent.after(4n, 10))).toEqual([5, 6, 7]);
  });

  test('keeps so many bytes at most; beyond, the last commit alone', () => {
    const recent = new RecentEvents(100, 30);
    add(recent, [1, 2, 3], 10);
    expect(positions(recent.after(0n, 10))).toEqual([1, 2, 3]);
    add(recent, [4], 10);
    expect(recent.after(2n, 10)).toBeUndefined();
    expect(positions(recent.after(3n, 10))).toEqual([4]);
  });

  test('bytes of what is forgotten count no more', () => {
    const recent = new RecentEvents(100, 30);
    add(recent, [1, 2], 15);
    recent.forget(1n);
    add(recent, [3], 15);
    expect(positions(recent.after(1n, 10))).toEqual([2, 3]);
  });
});
