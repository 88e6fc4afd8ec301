import { createBodyBytes } from './body-bytes.ts';

const MIB = 1024 * 1024;

test('an account may have the largest burst of a plan waiting, and no more', () => {
  const waiting = createBodyBytes({ waitingPerAccount: 32 * MIB, waitingInAll: 128 * MIB });
  for (let n = 0; n < 128; n += 1) expect(waiting.reserve('a', MIB / 4)).toBeDefined();
  expect(waiting.reserve('a', 1)).toBeUndefined();
  expect(waiting.reserve('b', MIB)).toBeDefined();
});

test('ten accounts at their limits leave room for another, and what they wait with is bounded in all', () => {
  const waiting = createBodyBytes({ waitingPerAccount: 32 * MIB, waitingInAll: 128 * MIB });
  let held = 0;
  for (let n = 0; n < 10; n += 1) while (waiting.reserve(`attacker ${n}`, MIB / 4)) held += MIB / 4;
  expect(held).toBeLessThan(128 * MIB);
  expect(waiting.reserve('victim', MIB)).toBeDefined();
});

test('what is released is free again', () => {
  const waiting = createBodyBytes({ waitingPerAccount: 2 * MIB, waitingInAll: 8 * MIB });
  const [first] = [waiting.reserve('a', MIB)!, waiting.reserve('a', MIB)!];
  expect(waiting.reserve('a', MIB)).toBeUndefined();
  first();
  expect(waiting.reserve('a', MIB)).toBeDefined();
});
