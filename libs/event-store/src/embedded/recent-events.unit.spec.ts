import type { Recorded } from '@svc/kernel';
import { RecentEvents } from './recent-events.ts';

const add = (recent: RecentEvents, positions: number[], bytes = 1): void =>
  recent.add(positions.map((position) => ({ position: BigInt(position), bytes }) as Recorded));
const positions = (events: Recorded[] | undefined): number[] | undefined => events?.map(({ position }) => Number(position));

describe('recent events', () => {
  test('returns at most a batch of what follows a position', () => {
    const recent = new RecentEvents();
    add(recent, [5, 6]);
    add(recent, [7, 8]);
    expect(positions(recent.after(4n))).toEqual([5, 6, 7, 8]);
    expect(positions(recent.after(6n))).toEqual([7, 8]);
    add(
      recent,
      Array.from({ length: 300 }, (_, n) => n + 9),
    );
    expect(positions(recent.after(4n))).toHaveLength(200);
  });

  test('returns nothing for positions before the oldest or after the newest', () => {
    const recent = new RecentEvents();
    expect(recent.after(0n)).toBeUndefined();
    add(recent, [5, 6]);
    expect(recent.after(3n)).toBeUndefined();
    expect(recent.after(6n)).toBeUndefined();
  });

  test('drops everything after a gap, which would otherwise look like consecutive events', () => {
    const recent = new RecentEvents();
    add(recent, [1, 2]);
    add(recent, [5]);
    expect(recent.after(1n)).toBeUndefined();
    expect(positions(recent.after(4n))).toEqual([5]);
  });

  test('drops what every subscription has', () => {
    const recent = new RecentEvents();
    add(recent, [1, 2, 3]);
    recent.forget(0n);
    recent.forget(2n);
    expect(recent.after(1n)).toBeUndefined();
    expect(positions(recent.after(2n))).toEqual([3]);
    recent.forget(9n);
    expect(recent.after(2n)).toBeUndefined();
  });

  test('keeps a limited number; beyond it, the newest half', () => {
    const recent = new RecentEvents(6);
    add(recent, [1, 2, 3, 4, 5, 6]);
    expect(positions(recent.after(0n))).toHaveLength(6);
    add(recent, [7]);
    expect(recent.after(3n)).toBeUndefined();
    expect(positions(recent.after(4n))).toEqual([5, 6, 7]);
  });

  test('keeps a limited number of bytes; beyond it, the newest, and always the last commit', () => {
    const recent = new RecentEvents(100, 30);
    add(recent, [1, 2, 3], 10);
    expect(positions(recent.after(0n))).toEqual([1, 2, 3]);
    add(recent, [4], 10);
    expect(recent.after(0n)).toBeUndefined();
    expect(positions(recent.after(1n))).toEqual([2, 3, 4]);
    add(recent, [5, 6], 20);
    expect(recent.after(3n)).toBeUndefined();
    expect(positions(recent.after(4n))).toEqual([5, 6]);
  });

  test('counts the states that events carry', () => {
    const recent = new RecentEvents(100, 30_000);
    const carrying = (position: bigint) => [{ position, bytes: 10, after: { state: {}, bytesBefore: 4_000 } } as Recorded];
    recent.add(carrying(1n));
    expect(positions(recent.after(0n))).toEqual([1]);
    recent.add(carrying(2n));
    expect(recent.after(0n)).toBeUndefined();
    expect(positions(recent.after(1n))).toEqual([2]);
  });

  test('bytes of dropped events no longer count', () => {
    const recent = new RecentEvents(100, 30);
    add(recent, [1, 2], 15);
    recent.forget(1n);
    add(recent, [3], 15);
    expect(positions(recent.after(1n))).toEqual([2, 3]);
  });
});
