import type { Recorded } from '@svc/kernel';
import { RecentEvents } from './recent-events.ts';

const at = (...positions: number[]): Recorded[] => positions.map((position) => ({ position: BigInt(position) }) as Recorded);
const positions = (events: Recorded[] | undefined): number[] | undefined => events?.map(({ position }) => Number(position));

describe('recent events', () => {
  test('hands out what follows a position, so many at most', () => {
    const recent = new RecentEvents();
    recent.add(at(5, 6));
    recent.add(at(7, 8));
    expect(positions(recent.after(4n, 10))).toEqual([5, 6, 7, 8]);
    expect(positions(recent.after(6n, 1))).toEqual([7]);
  });

  test('knows nothing of what came before the oldest or comes after the newest', () => {
    const recent = new RecentEvents();
    expect(recent.after(0n, 10)).toBeUndefined();
    recent.add(at(5, 6));
    expect(recent.after(3n, 10)).toBeUndefined();
    expect(recent.after(6n, 10)).toBeUndefined();
  });

  test('starts anew after a gap, for it would hand out events as if they were neighbours', () => {
    const recent = new RecentEvents();
    recent.add(at(1, 2));
    recent.add(at(5));
    expect(recent.after(1n, 10)).toBeUndefined();
    expect(positions(recent.after(4n, 10))).toEqual([5]);
  });

  test('forgets what everybody has', () => {
    const recent = new RecentEvents();
    recent.add(at(1, 2, 3));
    recent.forget(0n);
    recent.forget(2n);
    expect(recent.after(1n, 10)).toBeUndefined();
    expect(positions(recent.after(2n, 10))).toEqual([3]);
    recent.forget(9n);
    expect(recent.after(2n, 10)).toBeUndefined();
  });

  test('keeps twice its limit at most, the newest', () => {
    const recent = new RecentEvents(3);
    recent.add(at(1, 2, 3, 4, 5, 6));
    expect(positions(recent.after(0n, 10))).toHaveLength(6);
    recent.add(at(7));
    expect(recent.after(3n, 10)).toBeUndefined();
    expect(positions(recent.after(4n, 10))).toEqual([5, 6, 7]);
  });
});
