import { FakeClock } from '@svc/kernel';
import { createLogger } from '@svc/service';
import { createChanges, createLookUps } from './look-ups.ts';

const logger = createLogger({ level: 'silent', service: 'test' });

function fixture() {
  const changes = createChanges();
  const asked: string[] = [];
  const stored: Record<string, number> = { a: 1, b: 1 };
  const clock = new FakeClock();
  const { find } = createLookUps<number>({
    async lookUp(key) {
      asked.push(key);
      return stored[key] ?? 0;
    },
    ...{ idsOf: (key: string) => [key], changes, clock, logger, failure: 'none', unavailable: 'none' },
  });
  return { find, changes, asked, stored, clock };
}

test('a change makes old what was read of it, and leaves the values of all others', async () => {
  const { find, changes, asked, stored } = fixture();
  await Promise.all([find('a'), find('b')]);
  stored['a'] = 2;
  changes.note(['a']);
  expect([await find('a'), await find('b')]).toEqual([2, 1]);
  expect(asked).toEqual(['a', 'b', 'a']);
});

test('who comes after a change does not get what a look-up in flight read before it', async () => {
  const { find, changes, stored } = fixture();
  const before = find('a');
  stored['a'] = 2;
  changes.note(['a']);
  expect([await before, await find('a')]).toEqual([1, 2]);
});

test('what another process has changed is read again after five seconds, and once the clock is set back', async () => {
  const { find, asked, clock } = fixture();
  await find('a');
  await clock.advance(4_999);
  await find('a');
  expect(asked).toHaveLength(1);
  await clock.advance(1);
  await find('a');
  expect(asked).toHaveLength(2);
  await clock.advance(-3_600_000);
  await find('a');
  expect(asked).toHaveLength(3);
});

test('beyond the changes that are noted everything older is read again', async () => {
  const { find, changes, asked } = fixture();
  await find('a');
  for (let n = 0; n <= 20_000; n += 1) changes.note([`other ${n}`]);
  await find('a');
  expect(asked).toEqual(['a', 'a']);
});
