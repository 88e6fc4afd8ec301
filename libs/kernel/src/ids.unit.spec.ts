import fc from 'fast-check';
import { systemClock } from './clock.ts';
import { FakeClock } from './fake-clock.ts';
import { createIds, derivedUid, firstUidAt, fromUuid, prefixed, prefixes, timeOf, toUuid, uidOf } from './ids.ts';

const uid = createIds(systemClock).next();
/** A clock that shows one time after the other, then the last for ever. */
const showing = (times: number[]) => ({ now: () => (times.length > 1 ? (times.shift() as number) : (times[0] ?? 0)) });
const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });

describe('ids', () => {
  test('each id is greater than the one before, whatever the clock does', () => {
    fc.assert(
      fc.property(fc.array(time, { minLength: 2, maxLength: 50 }), (times) => {
        const ids = createIds(showing([...times]));
        const made = times.map(() => ids.next());
        expect([...new Set(made)].sort()).toEqual(made);
      }),
    );
  });

  test('a million ids of one millisecond are distinct and in order', () => {
    const ids = createIds(new FakeClock());
    let last = '';
    for (let n = 0; n < 1_000_000; n += 1) {
      const next = ids.next();
      if (next <= last) throw new Error(`${next} after ${last}`);
      last = next;
    }
    expect(timeOf(last)).toBe(new FakeClock().now());
  });

  test('an id is a UUIDv7 with the time of the clock', () => {
    fc.assert(
      fc.property(time, fc.uint8Array({ minLength: 1024, maxLength: 1024 }), (now, bytes) => {
        const next = createIds({ now: () => now }, () => bytes).next();
        expect(toUuid(next)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(timeOf(next)).toBe(now);
      }),
    );
  });

  test('two processes make different ids at the same time', () => {
    const clock = new FakeClock();
    const made = Array.from({ length: 100 }, () => createIds(clock).next());
    expect(new Set(made).size).toBe(100);
  });

  test('converts to a UUID and back', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(toUuid(fromUuid(uuid))).toBe(uuid);
      }),
    );
  });

  test('adds and removes a prefix; another prefix gives undefined', () => {
    for (const prefix of prefixes) {
      expect(uidOf(prefix, prefixed(prefix, uid))).toBe(uid);
      for (const other of prefixes) if (other !== prefix) expect(uidOf(other, prefixed(prefix, uid))).toBeUndefined();
    }
  });

  test.each([
    ['without prefix', uid],
    ['too short', `inv_${uid.slice(1)}`],
    ['too long', `inv_${uid}0`],
    ['upper case', `inv_${uid.toUpperCase()}`],
    ['more than 128 bits', `inv_8${uid.slice(1)}`],
    ['a letter that base32 lacks', `inv_${uid.slice(0, 25)}u`],
    ['nothing', ''],
  ])('an id %s is none', (_, id) => {
    expect(uidOf('inv', id)).toBeUndefined();
  });

  test('derived ids are valid, keep the time, and depend only on the id and the digest', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.uint8Array({ minLength: 32, maxLength: 32 }), (one, two) => {
        const derived = derivedUid(uid, one);
        expect(derivedUid(uid, one)).toBe(derived);
        expect(timeOf(derived)).toBe(timeOf(uid));
        expect(toUuid(derived)).toMatch(/^.{14}7.{4}[89ab]/);
        expect(uidOf('pay', prefixed('pay', derived))).toBe(derived);
        const isAlike = Buffer.from(one.subarray(4, 10)).equals(two.subarray(4, 10));
        if (!isAlike && (one[3] as number) === two[3]) expect(derivedUid(uid, two)).not.toBe(derived);
      }),
    );
  });
});

test('the first id of a time sorts between ids of earlier times and all of that time', () => {
  const at = Date.UTC(2026, 10, 24);
  const of = (time: number) => createIds({ now: () => time }).next();
  expect([of(at - 1) < firstUidAt(at), firstUidAt(at) < of(at), firstUidAt(at) < of(at + 1)]).toEqual([true, true, true]);
});
