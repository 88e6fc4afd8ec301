import { adjusted, begun, type Change, mayHandOver, type RecoveryState } from './recovery.ts';

const state: RecoveryState = begun({ since: 0, until: 1, types: [] });
const after = (from: RecoveryState, change: Change): RecoveryState => ({ ...from, ...change });
const succeeds = (from: RecoveryState): RecoveryState => after(from, adjusted(from, { succeeded: 1, failed: 0 }, 0));
const handOver = (from: RecoveryState, waiting: number, now = 0, perSecond?: number): number =>
  mayHandOver(from, { waiting, now, perSecond });
const fails = (from: RecoveryState, now = 0): RecoveryState => after(from, adjusted(from, { succeeded: 0, failed: 1 }, now));

test('from 32 on, an endpoint that is done with all before the next look is given 4 more at a time, up to 128; one that is slower has 32 again', () => {
  let now = state;
  for (let n = 0; n < 60; n += 1) now = after(now, adjusted(now, { succeeded: now.window, failed: 0 }, 0));
  expect(now.window).toBe(128);
  expect(after(now, adjusted(now, { succeeded: 127, failed: 0 }, 0)).window).toBe(32);
  expect(after(now, adjusted(now, { succeeded: 127, failed: 1 }, 0)).window).toBe(64);
});

test('each success allows one more at a time, up to 32, and is counted', () => {
  let now = state;
  for (let n = 0; n < 50; n += 1) now = succeeds(now);
  expect([now.window, now.delivered]).toEqual([32, 50]);
  expect([handOver(now, 0), handOver(now, 30), handOver(now, 40)]).toEqual([32, 2, 0]);
});

test('a failure halves it and makes a pause, which doubles up to a minute and ends with a success', () => {
  let now = { ...state, window: 20 };
  const pauses: number[] = [];
  for (let n = 0; n < 9; n += 1) {
    now = fails(now, 1_000);
    pauses.push(now.pausedUntil - 1_000);
  }
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  expect([now.window, handOver(now, 0, 60_999), handOver(now, 0, 61_000)]).toEqual([1, 0, 1]);
  now = succeeds(now);
  expect([now.window, now.pausedUntil, now.pauseMs]).toEqual([2, 0, 500]);
});

test('nothing changes while nothing ends', () => {
  expect(adjusted(state, { succeeded: 0, failed: 0 }, 5)).toEqual({});
});

test('at a pace so many wait as begin in a second', () => {
  const wide = { ...state, window: 128 };
  expect([1, 20, 1_000].map((perSecond) => handOver(wide, 0, 0, perSecond))).toEqual([1, 20, 128]);
  expect([handOver(wide, 1, 0, 1), handOver(wide, 19, 0, 20)]).toEqual([0, 1]);
});
