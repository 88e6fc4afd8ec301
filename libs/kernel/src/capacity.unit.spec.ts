import { createCapacity } from './turns.ts';

const MIB = 1024 * 1024;

test('an account may hold as much as its limit, and no more', () => {
  const capacity = createCapacity({ perAccount: 32 * MIB, inAll: 128 * MIB });
  for (let n = 0; n < 128; n += 1) expect(capacity.reserve('a', MIB / 4)).toBeDefined();
  expect(capacity.reserve('a', 1)).toBeUndefined();
  expect(capacity.reserve('b', MIB)).toBeDefined();
});

test('ten accounts at their limits leave some for another, and all of them together stay below the limit', () => {
  const capacity = createCapacity({ perAccount: 32 * MIB, inAll: 128 * MIB });
  let held = 0;
  for (let n = 0; n < 10; n += 1) while (capacity.reserve(`attacker ${n}`, MIB / 4)) held += MIB / 4;
  expect(held).toBeLessThan(128 * MIB);
  expect(capacity.reserve('victim', MIB)).toBeDefined();
});

test('what is released is free again', () => {
  const capacity = createCapacity({ perAccount: 2 * MIB, inAll: 8 * MIB });
  const [first] = [capacity.reserve('a', MIB)!, capacity.reserve('a', MIB)!];
  expect(capacity.reserve('a', MIB)).toBeUndefined();
  first();
  expect(capacity.reserve('a', MIB)).toBeDefined();
});
